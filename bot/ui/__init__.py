"""The face of the bot: what people read and press."""
