"""How strong the bots are: measured in sections, kept in docs/strength/*.json, told in docs/strength.md."""
