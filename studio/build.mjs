// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

// Bundles the page into one file that needs no other: `npm run build -- OUTPUT` (default dist/report.html).
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { build } from "esbuild";

const output = process.argv[2] ?? "dist/report.html";

async function bundle(entry) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: entry.endsWith(".css") ? undefined : "iife",
    target: ["es2022", "chrome100", "firefox100", "safari16"],
    legalComments: "none",
    logLevel: "warning",
  });
  return result.outputFiles[0].text;
}

const page = await readFile("src/page.html", "utf8");
const style = (await bundle("src/style.css")).replaceAll("</style", "<\\/style");
const script = (await bundle("src/main.ts")).replaceAll("</script", "<\\/script");

// Every copy of the page carries the licences of what it contains.
const packages = ["three", "uplot"];
const licences = await Promise.all(packages.map((name) => readFile(`node_modules/${name}/LICENSE`, "utf8")));
const notice = `<!--\n${packages.map((name, i) => `${name}:\n${licences[i].trim()}\n`).join("\n")}-->\n`;

// A function as the replacement: `$` in the bundle means nothing.
const text = page.replace("/*STYLE*/", () => style).replace("/*SCRIPT*/", () => script) + notice;
await mkdir(dirname(output), { recursive: true });
await writeFile(output, text);
console.log(`${output}: ${Math.round(text.length / 1024)} kB`);
