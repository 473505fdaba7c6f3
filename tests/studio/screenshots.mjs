// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

// node screenshots.mjs PROGRAM EXAMPLES CHROMIUM FOLDER [NAME ..]: the page of every example (or of those named), as its README
// runs it, on a laptop and on a phone, for somebody to look at. Says what a machine can see of it: a picture without bodies, plots
// without curves, texts that are cut off, on one another or outside the window. Exit code 1 if there is anything to say.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [program, examples, executablePath, folder, ...chosen] = process.argv.slice(2);
const kSizes = { laptop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

// Words of a line of the shell: quotes are taken off.
const words = (line) => (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, "$2"));

// The commands of a README up to its first run; of an example without a run, a run of two seconds, from the state it writes if any.
function commandsOf(name) {
  const text = readFileSync(join(examples, name, "README.md"), "utf8");
  const lines = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap((block) => block[1].split("\n"));
  const commands = lines.filter((line) => line.startsWith("vinculum ")).map((line) => words(line).slice(1));
  const run = commands.findIndex((words) => ["simulate", "realize"].includes(words[0]) && words.includes("--until"));
  const before = (run < 0 ? commands : commands.slice(0, run)).filter((command) => command.includes("--write-state"));
  const last = run < 0 ? ["simulate", "model.yaml", "--until", "2"] : commands[run].filter((word) => word !== "--no-report");
  const output = last.indexOf("--output");
  if (output >= 0) last.splice(output, 2);
  const start = before.at(-1)?.[before.at(-1).indexOf("--write-state") + 1];
  const state = start && !last.includes("--state") ? ["--state", start] : [];
  return [...before, [...last, ...state, "--output", "page"]];
}

function makePage(name) {
  const place = join(folder, name);
  rmSync(place, { recursive: true, force: true });
  cpSync(join(examples, name), place, { recursive: true });
  const ended = commandsOf(name).map((command) => spawnSync(program, command, { cwd: place, encoding: "utf8" }));
  const page = join(place, "page", "report.html");
  return { page, why: existsSync(page) ? "" : ended.map((run) => run.stderr).join("") };
}

// What can be told without eyes, inside the page.
function look() {
  const found = [];
  const visible = (node) =>
    node.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true, contentVisibilityAuto: true }) && node.getBoundingClientRect().width > 0;
  const name = (node) => `<${node.tagName.toLowerCase()}${node.className?.baseVal ?? node.className ? ` class="${node.className.baseVal ?? node.className}"` : ""}> ${node.textContent.trim().slice(0, 50)}`;
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide + 1) found.push(`the page is ${document.documentElement.scrollWidth} wide in a window of ${wide}`);
  // Leaves with text of their own.
  const leaves = [...document.querySelectorAll("body *")].filter(
    (node) => !["SCRIPT", "STYLE", "NOSCRIPT", "OPTION"].includes(node.tagName) && visible(node) && [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== ""),
  );
  const seen = (node) => {
    // The part of a box that its scrolling parents let through.
    let box = node.getBoundingClientRect();
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    for (let above = node.parentElement; above; above = above.parentElement) {
      if (getComputedStyle(above).overflow === "visible") continue;
      box = above.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return { left, top, right, bottom };
  };
  const boxes = [];
  for (const node of leaves) {
    if (getComputedStyle(node).overflow !== "visible" && node.scrollWidth > node.clientWidth + 1) found.push(`cut off: ${name(node)}`);
    const box = node.getBoundingClientRect();
    if (box.left < -1 || box.right > wide + 1) found.push(`outside the window: ${name(node)}`);
    const part = seen(node);
    // What stays in place over a page that scrolls covers texts; they are not seen.
    const top = document.elementFromPoint((part.left + part.right) / 2, (part.top + part.bottom) / 2);
    if (!top || !(top.contains(node) || node.contains(top))) continue;
    if (part.right > part.left && part.bottom > part.top) boxes.push({ node, ...part });
  }
  for (const [i, a] of boxes.entries()) {
    for (const b of boxes.slice(i + 1)) {
      if (a.node.contains(b.node) || b.node.contains(a.node)) continue;
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left), height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const label = (one) => one.closest(".u-axis, .chip, .menu, .overlay, .tip") !== null || one.namespaceURI.endsWith("svg");
      if (width > 3 && height > 3 && !(label(a.node) && label(b.node))) found.push(`on one another: ${name(a.node)} and ${name(b.node)}`);
    }
  }
  return [...new Set(found)];
}

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath,
  headless: true,
  args: ["--no-sandbox", "--disable-background-networking", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
let troubles = 0;
const names = readdirSync(examples).filter((name) => existsSync(join(examples, name, "model.yaml")) && (chosen.length === 0 || chosen.includes(name)));
for (const name of names) {
  const { page: path, why } = makePage(name);
  if (why) {
    console.log(`${name}: no page\n${why}`);
    ++troubles;
    continue;
  }
  for (const [size, viewport] of Object.entries(kSizes)) {
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    const found = [];
    page.on("pageerror", (error) => found.push(error.message));
    page.on("console", (message) => message.type() === "error" && found.push(message.text()));
    await page.goto(pathToFileURL(path).href);
    await page.waitForSelector("html[data-ready=true]");
    // On the way there is more to see than at the start.
    const track = await page.locator(".track").boundingBox();
    if (track) await page.mouse.click(track.x + 0.4 * track.width, track.y + track.height / 2);
    await page.mouse.move(1, 1);
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(folder, `${name}.${size}.png`) });
    found.push(...(await page.evaluate(look)));
    await page.evaluate(() => document.querySelector(".u-wrap")?.scrollIntoView({ block: "center" }));
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(folder, `${name}.${size}.curves.png`) });
    found.push(...(await page.evaluate(look)));
    for (const one of new Set(found)) console.log(`${name} (${size}): ${one}`);
    troubles += new Set(found).size;
    await context.close();
  }
}
await browser.close();
process.exit(troubles > 0 ? 1 : 0);
