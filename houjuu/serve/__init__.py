"""The server ``houjuu serve``: live seats, single positions and reviews over HTTP and WebSocket.

`app` has the routes, `seats` follows the live seats, and `front` answers the page. `pool` has the
worker processes, which do the `work`. `settings` has the limits, and `refusals` the answers beyond
them. `trust` checks origins, and `server` bounds half-open connections and the log.
"""
