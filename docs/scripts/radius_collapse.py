#!/usr/bin/python3
"""The numbers and the figure of docs/theory/radius-collapse.md.

    radius_collapse.py

Draws responses from N(0, s^2 I) around the minimum-norm response of the double integrator and
compares three ranges of lambda: the smallest pointwise radius 1/(C sigma^2 ||M||^2) over the draws,
the radius of the posterior-localized bound, and the lambda that the one-sided Gaussian certificate
picks (it has no radius). Writes docs/figures/radius-collapse.svg and prints two Markdown tables.
Needs numpy only; the seed is fixed.
"""

import pathlib

import numpy as np

FIGURE = pathlib.Path(__file__).resolve().parent.parent / "figures" / "radius-collapse.svg"

T = 10
A = np.array([[1.0, 1.0], [0.0, 1.0]])
B = np.array([[0.5], [1.0]])
Q, R, TERMINAL = np.diag([1.0, 0.1]), 0.5, np.diag([2.0, 0.2])
VARIANCE = 0.1  # covariance 0.1 I, sub-Gaussian proxy sigma^2 = 0.1
C_HW = 2.0  # the sharp constant for Gaussian disturbances; proofs of Hanson-Wright give larger ones
N_SAMPLES, DELTA = 100, 0.025  # of the certificate whose lambda is shown
SEED = 7


def operators():
    """P, N_0, K_0 and the causal mask in orthonormal coordinates around the minimum-norm start."""
    n_x, d_w = 2, 2 * (T + 1)
    F, S_x = np.eye(d_w), np.zeros((d_w, T))
    for t in range(T):
        now, following = slice(n_x * t, n_x * (t + 1)), slice(n_x * (t + 1), n_x * (t + 2))
        F[following] += A @ F[now]
        S_x[following] = A @ S_x[now]
        S_x[following, t] += B[:, 0]
    causal = np.arange(d_w)[None, :] < n_x * (np.arange(T)[:, None] + 1)
    U = np.linalg.cholesky((np.eye(T) + S_x.T @ S_x)[::-1, ::-1])[::-1, ::-1]
    T_u = np.linalg.inv(U).T
    Phi_u0 = -T_u @ (causal * np.linalg.solve(U, S_x.T @ F))
    Q_half = np.sqrt(np.concatenate([np.tile(np.diag(Q), T), np.diag(TERMINAL)]))[:, None]
    S = np.vstack([Q_half * S_x, np.sqrt(R) * np.eye(T)]) @ T_u
    M_0 = np.vstack([Q_half * (F + S_x @ Phi_u0), np.sqrt(R) * Phi_u0])
    return S.T @ S, S.T @ M_0, M_0.T @ M_0, causal


def draws(P, N_0, causal, generator, count):
    """The two coefficients of K = K_0 + s K_1 + s^2 K_2 for `count` standard draws of Z."""
    Z = generator.standard_normal((count,) + causal.shape) * causal
    K_1 = N_0.T @ Z
    return K_1 + K_1.transpose(0, 2, 1), Z.transpose(0, 2, 1) @ (P @ Z)


def pointwise_radii(K_0, K_1, K_2, s):
    """1 / (C sigma^2 ||M||_op^2) of every draw at posterior scale s."""
    return 1 / (C_HW * VARIANCE * np.linalg.eigvalsh(K_0 + s * K_1 + s * s * K_2)[:, -1])


def certificate_lambda(P, N_0, K_0, causal, s):
    """sqrt(rate / C_rho): where the quadratic one-sided certificate takes its infimum."""
    V = s * s * causal
    a, d = V.T @ np.diag(P), V.sum(axis=1)
    C = VARIANCE**2 * (
        np.sum(K_0**2)
        + 2 * a @ np.diag(K_0)
        + 2 * np.sum(V * N_0**2)
        + 2 * d @ np.sum(N_0**2, axis=1)
        + a @ a
        + np.sum((P**2 @ V) * V)
        + d @ P**2 @ d
    )
    p = causal.sum()
    kl = p / 2 * (s * s - 1 - 2 * np.log(s))
    return np.sqrt((kl + np.log(N_SAMPLES / DELTA)) / (N_SAMPLES - 1) / C)


# --- drawing ------------------------------------------------------------------------------------

INK, GRID = "#737b85", "#737b85"  # readable on white and on black
BLUE, ORANGE, GREEN = "#2a86c9", "#d55e00", "#009e73"  # told apart without red-green vision
WIDTH, HEIGHT = 760, 470
LEFT, RIGHT, TOP, BOTTOM = 76, 18, 54, 58
X_DECADES, Y_DECADES = (-3, 1), (-4, 7)
POWERS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def x_of(s):
    low, high = X_DECADES
    return LEFT + (np.log10(s) - low) / (high - low) * (WIDTH - LEFT - RIGHT)


def y_of(value):
    low, high = Y_DECADES
    return HEIGHT - BOTTOM - (np.log10(value) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)


def text(x, y, words, anchor="start", colour=INK, size=14, more=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
            f'font-size="{size}"{more}>{words}</text>')


def line(x1, y1, x2, y2, colour=GRID, width=1.0, more=""):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
            f'stroke-width="{width}"{more}/>')


def curve(s, values, colour, width=2.5, dashes=""):
    points = " ".join(f"{x_of(a):.1f},{y_of(b):.1f}" for a, b in zip(s, values))
    dashes = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}" '
            f'stroke-linejoin="round" stroke-linecap="round"{dashes}/>')


def axes():
    parts = []
    for power in range(X_DECADES[0], X_DECADES[1] + 1):
        x = x_of(10.0**power)
        parts.append(line(x, TOP, x, HEIGHT - BOTTOM, more=' opacity="0.3"'))
        parts.append(text(x, HEIGHT - BOTTOM + 20, "10" + str(power).translate(POWERS), "middle"))
    for power in range(Y_DECADES[0], Y_DECADES[1] + 1):
        y = y_of(10.0**power)
        parts.append(line(LEFT, y, WIDTH - RIGHT, y, more=' opacity="0.3"'))
        if power % 2 == 0:
            parts.append(text(LEFT - 8, y + 5, "10" + str(power).translate(POWERS), "end"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, "posterior scale s", "middle"))
    parts.append(text(20, middle, "λ", "middle", size=16))
    return parts


def figure(s, few, many, localized, chosen):
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             f'width="{WIDTH}" height="{HEIGHT}" role="img" '
             'font-family="system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif">',
             "<title>Admissible lambda against posterior scale</title>",
             "<desc>The pointwise radius shrinks with the scale and with the number of draws, the "
             "posterior-localized radius falls as one over the scale squared, the one-sided "
             "Gaussian certificate has no radius.</desc>"]
    parts += axes()
    left, right = LEFT, WIDTH - RIGHT
    parts.append(line(left, TOP, right, TOP, GREEN, 3))
    for x in np.linspace(left + 40, right - 40, 6):
        parts.append(f'<path d="M{x - 5:.1f},{TOP - 6} L{x:.1f},{TOP - 14} L{x + 5:.1f},{TOP - 6}" '
                     f'fill="none" stroke="{GREEN}" stroke-width="2.5"/>')
    parts.append(text((left + right) / 2, TOP - 24,
                      "one-sided Gaussian certificate: every λ ≥ 0 is admissible", "middle", GREEN))
    inside = localized <= 10.0**Y_DECADES[1]
    parts.append(curve(s[inside], localized[inside], BLUE))
    parts.append(curve(s, few, ORANGE, 2.0, "2 5"))
    parts.append(curve(s, many, ORANGE))
    parts.append(curve(s, chosen, GREEN, 2.5, "9 6"))

    def label(at, decade, words, colour):  # between two grid lines
        parts.append(text(x_of(at), y_of(10.0**decade) + 5, words, "start", colour))

    label(0.056, 3.5, "posterior-localized radius 1/(2 s² λmax(G))", BLUE)
    label(1.05e-3, 0.72, f"λ the one-sided certificate picks, n = {N_SAMPLES}", GREEN)
    label(1.05e-3, -0.55, "smallest pointwise radius, 10,000 draws", ORANGE)
    label(1.05e-3, -1.45, "(dotted: the first 1,000 of them)", ORANGE)
    parts.append("</svg>")
    FIGURE.write_text("\n".join(parts) + "\n", encoding="utf-8")


def number(value):
    if 0.01 <= value < 1000:
        return f"{value:.3g}"
    mantissa, exponent = f"{value:.2e}".split("e")
    return f"{mantissa}·10{str(int(exponent)).translate(POWERS)}"


def main():
    P, N_0, K_0, causal = operators()
    generator = np.random.default_rng(SEED)
    s = np.logspace(-3, 1, 33)
    few, many = np.full(s.size, np.inf), np.full(s.size, np.inf)
    at_one = []  # radii at s = 1, draw by draw
    for chunk in range(100):  # of 1,000 draws each; all scales on the first ten
        K_1, K_2 = draws(P, N_0, causal, generator, 1000)
        at_one.append(pointwise_radii(K_0, K_1, K_2, 1.0))
        for i in range(s.size if chunk < 10 else 0):
            smallest = pointwise_radii(K_0, K_1, K_2, s[i]).min()
            many[i] = min(many[i], smallest)
            if chunk == 0:
                few[i] = smallest
    at_one = np.concatenate(at_one)
    localized = 1 / (2 * s * s * VARIANCE * np.linalg.eigvalsh(P)[-1])
    chosen = np.array([certificate_lambda(P, N_0, K_0, causal, scale) for scale in s])
    figure(s, few, many, localized, chosen)

    print("| $s$ | pointwise, 1,000 draws | pointwise, 10,000 draws | posterior-localized "
          f"| picked, $n={N_SAMPLES}$ |\n|---|---|---|---|---|")
    for i in range(0, s.size, 4):
        row = (s[i], few[i], many[i], localized[i], chosen[i])
        print("| " + " | ".join(number(value) for value in row) + " |")
    print("\n| draws $N$ | blocks | median of the smallest radius |\n|---|---|---|")
    for count in (10, 100, 1000, 10000, 100000):
        blocks = at_one.reshape(-1, count).min(axis=1)
        print(f"| {count:,} | {blocks.size:,} | {number(np.median(blocks))} |")
    eigenvalue = np.linalg.eigvalsh(K_0)[-1]
    print(f"\n||M_0||^2 = {eigenvalue:.4f}, lambda_max(P) = {np.linalg.eigvalsh(P)[-1]:.4f}, "
          f"p = {causal.sum()}")


if __name__ == "__main__":
    main()
