"""What a step costs: small worlds beside pymunk's, single changes in large worlds, and worlds at rest."""
