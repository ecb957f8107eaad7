"""What a Python game would use instead of ecsphys, each as an expert of that library would write its frame."""
