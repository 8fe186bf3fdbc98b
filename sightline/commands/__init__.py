"""The subcommands of `sightline`, one module each: it parses, calls one plain function, prints."""
