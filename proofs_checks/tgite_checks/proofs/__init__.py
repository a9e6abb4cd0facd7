"""The record of the machine-checked proofs, and the checks that tie it to the transcription."""
