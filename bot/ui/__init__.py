"""The face of the bot: what people read and press.

While a game runs, cards that not everybody may see leave the bot on three ways, each to their own player alone:

1. in the private answer to a click or a command: `bot.ui.private`;
2. in the player's direct messages, sent and edited without being asked: `bot.ui.dm_hands`;
3. in the suggestions of `/coup play`, whose labels name what may be shown, lost or kept: `bot.commands.playing`.

The screens with such cards are made in `bot.ui.hand`. After the end `bot.ui.result` publishes all hands.
"""
