// Formulas on standard input, one JSON object a line; their HTML, or the error, on standard output.
const katex = require("/usr/share/javascript/katex/katex.min.js");
const lines = require("readline").createInterface({ input: process.stdin });

function answer(line) {
  const { tex, display } = JSON.parse(line);
  try {
    return { html: katex.renderToString(tex, { displayMode: display, strict: "error" }) };
  } catch (error) {
    return { error: error.message };
  }
}

lines.on("line", (line) => process.stdout.write(JSON.stringify(answer(line)) + "\n"));
