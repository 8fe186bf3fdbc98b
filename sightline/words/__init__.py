"""What is said of facts, of sight and of places, in words that can be translated."""
