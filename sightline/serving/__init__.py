"""The pages on the network: server, event streams, certificates."""
