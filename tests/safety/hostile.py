"""Strings that want to become more than text: markup, scripts, marks that a terminal obeys.

A payload is live: beside it stands the place in a page where it runs if nobody stops it, and
test_report_safety shows in a browser that it does. {js} leaves a mark on the console and asks
a server for the payload's name.
"""

import copy

MARK = "TAKEN-"

# name: (where it runs when it is not escaped, with the payload for %, the payload)
LIVE = {
    "script": ("<p>%</p>", "<script>{js}</script>"),
    "script-mixed-case": ("<p>%</p>", "<ScRiPt>{js}</sCrIpT >"),
    "img-onerror": ('<p title="%">', '"><img src=x onerror="{js}">'),
    "img-unquoted": ("<p>%</p>", "<img/src=x onerror={js}>"),
    "img-single-quote": ("<p title='%'>", "'><img src=x onerror='{js}'>"),
    "svg-onload": ("<p>%</p>", '<svg onload="{js}">'),
    "svg-script": ("<svg><title>%</title></svg>", "</title><script>{js}</script>"),
    "details": ("<td>%</td>", '<details open ontoggle="{js}">x</details>'),
    "more-attributes": ('<input value="%">', '" type=image src=x onerror="{js}'),
    "body-onload": ("<h1>%</h1>", '<body onload="{js}">'),
    "style-onload": ("<p>%</p>", '<style onload="{js}">a{{b:c}}</style>'),
    "iframe-link": ("<p>%</p>", '<iframe src="javascript:{js}"></iframe>'),
    "iframe-document": ("<p>%</p>", "<iframe srcdoc='<script>{js}</script>'></iframe>"),
    "entity-link": ("<p>%</p>", '<iframe src="java&#115;cript&colon;{js}"></iframe>'),
    "end-of-title": ("<title>%</title>", "</title><script>{js}</script>"),
    "end-of-style": ("<style>%</style>", "</style><script>{js}</script>"),
    "end-of-script": ("<script>var a = '%'</script>", "</script><script>{js}</script>"),
    "end-of-json": ('<script type="application/json">{"a": "%"}</script>',
                    "</script><script>{js}</script>"),
    "quote-in-script": ('<script>var a = "%"</script>', '";{js};//'),
    "single-quote-in-script": ("<script>var a = '%'</script>", "'-{js}-'"),
    "template-in-script": ("<script>var a = `%`</script>", "${{{js}}}"),
    "end-of-comment": ("<!-- % -->", "--><script>{js}</script>"),
    "end-of-cdata": ("<svg><![CDATA[ % ]]></svg>", "]]><script>{js}</script>"),
    "open-comment": ("<p>%</p>", "<!--><script>{js}</script>"),
    "style-sheet": ("<p>%</p>", "<link rel=stylesheet href={url}>"),
    "picture": ("<p>%</p>", "<img src={url}>"),
    "refresh": ("<p>%</p>", '<meta http-equiv=refresh content="0;url={url}">'),
}

# Nothing runs these anywhere; they must not break the page either.
INERT = {
    "template-markers": "@p@ @P@ {{}} {{0}} %s %n ${{x}} <%= x %> {{{{7*7}}}}",
    "wide-brackets": "＜script＞alert(1)＜/script＞ ‹script›",
    "line-separators": "a\u2028b\u2029c\u0085d",
    "turned-around": "a\u202etxt.exe\u202c \u2066b\u2069",
    "combining": "Z\u0351\u036b\u0343 \u200b\u200d\ufeff \U0001f468\u200d\U0001f469",
    "control": "a\x00b\x1b[2Jc\x07d\x7fe\r\nf\tg\u009b31mh",
    "quotes": "\"'`\\\\\\\"\\' &amp; &#60;script&#62; &lt",
    "very-long": "A" * 20000 + "<b>" + "\"'" * 1000,
    "many-brackets": "<" * 500 + ">" * 500 + "&" * 500,
}


def script(name, url):
    return f"console.log(`{MARK}{name}`)||fetch(`{url}/{name}`)"


def payloads(url):
    """Every payload, by its name."""
    ready = {name: text.format(js=script(name, url), url=f"{url}/{name}")
             for name, (_, text) in LIVE.items()}
    ready.update((name, text.format()) for name, text in INERT.items())
    return ready


def unguarded(url):
    """Pages without escapes and without a policy, one per live payload: each must be noticed."""
    return {name: "<!DOCTYPE html><meta charset=utf-8>" + LIVE[name][0].replace("%", text)
            for name, text in payloads(url).items() if name in LIVE}


def texts(tree, place=()):
    """The places of all strings in a tree, and of all keys (a place that ends with None)."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield (*place, key, None)
            yield from texts(value, (*place, key))
    elif isinstance(tree, list):
        for i, value in enumerate(tree):
            yield from texts(value, (*place, i))
    elif isinstance(tree, str):
        yield place


def replaced(tree, place, text):
    """A copy of the tree with another string at a place."""
    tree = copy.deepcopy(tree)
    *way, last = place
    if last is None:
        *way, last = way
    node = tree
    for step in way:
        node = node[step]
    if place[-1] is None:
        node[text] = node.pop(last)
    else:
        node[last] = text
    return tree


def place_text(place):
    """certificate.terms[].name; a key is <key>."""
    out = ""
    for step in place:
        if step is None:
            out = out.rpartition(".")[0] + ".<key>"
        else:
            out += "[]" if isinstance(step, int) else "." + step
    return out.lstrip(".")
