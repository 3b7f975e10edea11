"""A browser without a window, a server that listens, and pages taken apart."""

import html.parser
import http.server
import re
import subprocess
import tempfile
import threading

BROWSER = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
           "--no-first-run", "--disable-background-networking", "--disable-component-update",
           "--disable-sync", "--disable-dev-shm-usage", "--enable-logging=stderr",
           "--virtual-time-budget=3000"]


# What the browser asks its maker by itself, whatever page it shows: updates, the time, an account, hints.
# A page that is opened here names none of these hosts (pages.faults looks), so it cannot be the one to ask.
OWN_HOSTS = re.compile(r"(https?://)?[\w.-]+\.(google|googleapis|gvt1|gstatic)\.com[:/]")


class Elements(html.parser.HTMLParser):
    """Every start tag with its attributes, in the order of the page; and its text."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data

    def all(self, tag, **wanted):
        return [a for t, a in self.found if t == tag
                and all(a.get(k.replace("_", "-")) == v for k, v in wanted.items())]

    def series(self, number):
        """The classes of every mark and row of a series."""
        return [a.get("class") or "" for _, a in self.found if a.get("data-series") == number]


class Server:
    """Remembers who asked for something: nobody should. Serves as a proxy too, which sees all."""

    def __enter__(self):
        self.asked = asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                if not OWN_HOSTS.match(self.path):
                    asked.append(self.path)
                self.send_response(204)
                self.end_headers()

            do_GET = do_POST = do_CONNECT = do_HEAD = do_OPTIONS = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def open_together(paths, folder, server):
    """Opens pages in frames of one page, with `server` between the browser and everything else.
    Returns the console's lines."""
    outer = folder / "frames.html"
    outer.write_text("<!DOCTYPE html><body>" + "".join(
        f'<iframe width=900 height=600 src="{path.as_uri()}"></iframe>' for path in paths))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        done = subprocess.run([*BROWSER, f"--user-data-dir={profile}",
                               f"--proxy-server={server.url}", "--proxy-bypass-list=<-loopback>",
                               "--dump-dom", outer.as_uri()],
                              capture_output=True, text=True, timeout=300)
    if done.returncode != 0 or done.stdout.count("<iframe") != len(paths):
        raise RuntimeError(f"the browser failed: {done.stderr}")
    return [line for line in done.stderr.splitlines() if "CONSOLE" in line]
