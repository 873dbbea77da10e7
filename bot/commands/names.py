"""What the commands and their options are called in other languages.

Owns: the names that people type after `/coup`. They are no sentences, so they stand here and not in the catalogs:
Discord wants them short, in lower case, without spaces, and different from each other within a language. English is
their key, and the name by which the code knows them.
"""

from __future__ import annotations

COMMANDS: dict[str, dict[str, str]] = {
    "new": {"es": "nueva", "pt_BR": "nova"},
    "join": {"es": "unirme", "pt_BR": "entrar"},
    "leave": {"es": "salir", "pt_BR": "sair"},
    "start": {"es": "empezar", "pt_BR": "iniciar"},
    "cancel": {"es": "cancelar", "pt_BR": "cancelar"},
    "hand": {"es": "mano", "pt_BR": "mão"},
    "table": {"es": "mesa", "pt_BR": "mesa"},
    "play": {"es": "jugar", "pt_BR": "jogar"},
    "end": {"es": "terminar", "pt_BR": "encerrar"},
    "kick": {"es": "expulsar", "pt_BR": "expulsar"},
    "transfer": {"es": "traspasar", "pt_BR": "transferir"},
    "extend": {"es": "ampliar", "pt_BR": "prorrogar"},
    "resume": {"es": "reanudar", "pt_BR": "retomar"},
    "rematch": {"es": "revancha", "pt_BR": "revanche"},
    "preferences": {"es": "preferencias", "pt_BR": "preferências"},
    "rules": {"es": "reglas", "pt_BR": "regras"},
    "help": {"es": "ayuda", "pt_BR": "ajuda"},
}
OPTIONS: dict[str, dict[str, str]] = {
    "speed": {"es": "velocidad", "pt_BR": "velocidade"},
    "language": {"es": "idioma", "pt_BR": "idioma"},
    "thread": {"es": "hilo", "pt_BR": "tópico"},
    "player": {"es": "jugador", "pt_BR": "jogador"},
    "move": {"es": "jugada", "pt_BR": "jogada"},
    "topic": {"es": "tema", "pt_BR": "tema"},
}


def command_name(name: str, language: str) -> str:
    """The command `name` in `language`, a code of the catalogs; the group `coup` is called so everywhere."""
    return COMMANDS.get(name, {}).get(language, name)


def option_name(name: str, language: str) -> str:
    """The option `name` in `language`."""
    return OPTIONS.get(name, {}).get(language, name)
