"""The server ``houjuu serve``: live seats, single positions and reviews over HTTP and WebSocket.

`app` has the routes, and `seats` follows the live seats. `pool` has the worker processes
(`workers`), which do the `work`. `settings` has the limits, and `refusals` the answers beyond them.
`trust` checks hosts and origins, `connections` bounds half-open connections, and `log_lines` the
log.
"""
