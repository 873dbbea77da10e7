"""The slash commands: thin callbacks around the same door as the buttons."""
