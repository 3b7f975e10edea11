"""Small SVG charts, several panels to a picture. Colours can be told apart without red-green
vision and read on white and on black."""

INK = "#737b85"
BLUE, ORANGE, GREEN, PINK, YELLOW = "#2a86c9", "#d55e00", "#009e73", "#cc79a7", "#c9a200"


def text(x, y, words, anchor="start", colour=INK, size=13, more=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
            f'font-size="{size}"{more}>{words}</text>')


def line(x1, y1, x2, y2, colour=INK, width=1.0, more=""):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
            f'stroke-width="{width}"{more}/>')


def steps(low, high, count=5):
    """Round numbers from low to high."""
    raw = (high - low) / count
    power = 10.0
    while power > raw:
        power /= 10
    while power * 10 <= raw:
        power *= 10
    width = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)
    first = int(low / width) - 2
    return [k * width for k in range(first, first + 30) if low - 1e-9 <= k * width <= high + 1e-9]


class Panel:
    """One chart in the box (left, top, width, height) of the picture, axes inside of it."""

    def __init__(self, box, title, x_range, y_range, x_name="", y_name="", x_marks=None,
                 y_marks=None):
        left, top, width, height = box
        self.left, self.right = left + 58, left + width - 22
        self.top, self.bottom = top + 34, top + height - 48
        self.x_range, self.y_range = x_range, y_range
        self.parts = [text(self.left, top + 18, title, size=14, more=' font-weight="600"')]
        if y_marks is None:
            y_marks = [(value, f"{value:g}") for value in steps(*y_range)]
        for value, words in y_marks:
            y = self.y(value)
            self.parts.append(line(self.left, y, self.right, y, more=' opacity="0.3"'))
            self.parts.append(text(self.left - 7, y + 4, words, "end"))
        if x_marks is None:
            x_marks = [(value, f"{value:g}") for value in steps(*x_range)]
        for value, words in x_marks:
            self.parts.append(line(self.x(value), self.bottom, self.x(value), self.bottom + 4))
            self.parts.append(text(self.x(value), self.bottom + 19, words, "middle"))
        self.parts.append(line(self.left, self.bottom, self.right, self.bottom))
        middle = (self.left + self.right) / 2
        self.parts.append(text(middle, self.bottom + 38, x_name, "middle"))
        x, y = left + 14, (self.top + self.bottom) / 2
        turned = f' transform="rotate(-90 {x} {y:.1f})"'
        self.parts.append(text(x, y, y_name, "middle", more=turned))

    def x(self, value):
        low, high = self.x_range
        return self.left + (value - low) / (high - low) * (self.right - self.left)

    def y(self, value):
        low, high = self.y_range
        return self.bottom - (value - low) / (high - low) * (self.bottom - self.top)

    def curve(self, xs, ys, colour, width=2.2, dashes="", opacity=1.0, dots=False):
        points = [(self.x(a), self.y(b)) for a, b in zip(xs, ys)]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        dashes = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                          f'stroke-width="{width}" stroke-linejoin="round" '
                          f'opacity="{opacity}"{dashes}/>')
        if dots:
            self.parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{colour}"/>'
                           for a, b in points]

    def band(self, xs, lows, highs, colour):
        path = [f"{self.x(a):.1f},{self.y(b):.1f}" for a, b in zip(xs, lows)]
        path += [f"{self.x(a):.1f},{self.y(b):.1f}" for a, b in reversed(list(zip(xs, highs)))]
        self.parts.append(f'<polygon points="{" ".join(path)}" fill="{colour}" opacity="0.18"/>')

    def level(self, value, colour, dashes="6 4", width=1.6):
        y = self.y(value)
        self.parts.append(line(self.left, y, self.right, y, colour, width,
                               f' stroke-dasharray="{dashes}"'))

    def label(self, x, y, words, colour, anchor="start"):
        self.parts.append(text(self.x(x), self.y(y), words, anchor, colour))

    def bars(self, names, pairs, colours):
        """Means with an interval of two standard errors to each side, the mean written above."""
        for i, (name, (mean, error)) in enumerate(zip(names, pairs)):
            x, y, half = self.x(i), self.y(mean), 0.3 * (self.x(1) - self.x(0))
            self.parts.append(f'<rect x="{x - half:.1f}" y="{y:.1f}" width="{2 * half:.1f}" '
                              f'height="{self.bottom - y:.1f}" fill="{colours[i]}" '
                              'opacity="0.75"/>')
            low, high = self.y(mean - 2 * error), self.y(mean + 2 * error)
            self.parts.append(line(x, low, x, high, INK, 1.8))
            self.parts += [line(x - 5, end, x + 5, end, INK, 1.8) for end in (low, high)]
            self.parts.append(text(x, high - 6, f"{mean:#.3g}", "middle"))


def boxes(width, height, columns, rows):
    return [(c * width / columns, r * height / rows, width / columns, height / rows)
            for r in range(rows) for c in range(columns)]


def picture(path, width, height, title, description, panels):
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" font-family="system-ui, -apple-system, Segoe UI, '
            'DejaVu Sans, sans-serif">')
    parts = [head, f"<title>{title}</title>", f"<desc>{description}</desc>"]
    parts += [part for panel in panels for part in panel.parts] + ["</svg>"]
    path.write_text("\n".join(parts) + "\n", encoding="utf-8")
