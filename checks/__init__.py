"""Long runs at random against independent answers: ``python -m checks --help``. Not installed."""
