// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

// node report_page.test.mjs DEMO CHROMIUM FOLDER: opens the reports that DEMO writes into FOLDER, does what a reader would do, and
// leaves screenshots there.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const [demo, executablePath, folder] = process.argv.slice(2);

const written = spawnSync(demo, [folder], { encoding: "utf8" });
assert.equal(written.status, 0, written.stderr);
if (written.stdout.includes("skipped:")) {
  console.log(written.stdout);
  process.exit(0);
}
const { chromium } = await import("playwright-core");

let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
    ],
  });
});
after(() => browser.close());

const kWide = { width: 1400, height: 900 };
const kTall = { width: 900, height: 1200 };

// A report in a fresh window; whatever it complains about or asks the network for is noted.
async function open(name, { viewport = kWide, colorScheme = "light", hash = "" } = {}) {
  const context = await browser.newContext({ viewport, colorScheme, acceptDownloads: true });
  const page = await context.newPage();
  const troubles = [];
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  page.on("pageerror", (error) => troubles.push(error.stack));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || troubles.push(`request: ${request.url()}`));
  const path = join(folder, `${name}.html`);
  assert.ok(existsSync(path));
  await page.goto(pathToFileURL(path).href + hash);
  await page.waitForSelector("html[data-ready=true]");
  if (name !== "pose" && viewport.width > 700) await page.locator(".u-over").first().waitFor();
  return { page, troubles, close: () => context.close() };
}

const timeOf = async (page) => parseFloat((await page.locator("output.now").textContent()).replace("−", "-"));
const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function sceneOf(page) {
  await settle(page);
  return page.locator("#stage canvas").screenshot();
}

// A point of an element, as fractions of its width and height.
async function pointIn(locator, x, y) {
  await locator.scrollIntoViewIfNeeded();
  const box = await locator.boundingBox();
  return [box.x + x * box.width, box.y + y * box.height];
}

// How many pixels of the scene have a colour of the scheme.
async function countPixels(page, name) {
  const picture = (await sceneOf(page)).toString("base64");
  return page.evaluate(
    async ([data, variable]) => {
      const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const surface = new OffscreenCanvas(image.width, image.height).getContext("2d");
      surface.drawImage(image, 0, 0);
      const { data: pixels } = surface.getImageData(0, 0, image.width, image.height);
      const text = getComputedStyle(document.documentElement).getPropertyValue(`--${variable}`).trim();
      const wanted = [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
      let count = 0;
      for (let i = 0; i < pixels.length; i += 4) count += wanted.every((value, k) => Math.abs(pixels[i + k] - value) <= 3);
      return count;
    },
    [picture, name],
  );
}

// A button in one of the menus of the scene; the menu is left closed.
async function choose(page, menu, name) {
  const node = page.locator(".menu", { has: page.locator("summary", { hasText: menu }) });
  await node.locator("summary").click();
  await node.getByRole("button", { name, exact: true }).click();
  await page.locator("#title").click();
}

// What a click hands to the reader.
async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

// The data of a page, and the numbers in it.
const documentOf = (name) =>
  JSON.parse(/id="vinculum-data">([^<]*)</.exec(readFileSync(join(folder, `${name}.html`), "utf8"))[1]);
const numbers = (text, Type) => {
  const bytes = Buffer.from(text, "base64");
  return Array.from(new Type(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)));
};

const track = (page) => page.locator(".track");
const firstPlot = (page) => page.locator(".u-over").first();

test("opens without errors, and without the network", async () => {
  for (const name of ["double_pendulum", "spinning_top", "tree", "gallery", "rolling_disc", "vehicle", "overlay", "pose"]) {
    const { page, troubles, close } = await open(name);
    await sceneOf(page);
    assert.deepEqual(troubles, [], name);
    await close();
  }
});

test("plays, pauses and steps", async () => {
  const { page, troubles, close } = await open("double_pendulum");
  const start = await sceneOf(page);
  assert.equal(await timeOf(page), 0);

  await page.keyboard.press("Space");
  await page.waitForFunction(() => parseFloat(document.querySelector("output.now").textContent) > 0.3);
  await page.keyboard.press("Space");
  const paused = await timeOf(page);
  const later = await sceneOf(page);
  assert.ok(!later.equals(start), "the picture has changed");
  await page.waitForTimeout(200);
  assert.equal(await timeOf(page), paused);

  // 1201 samples over 10 s.
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.equal(await timeOf(page), 0.008);
  await page.keyboard.press("Shift+ArrowRight");
  assert.equal(await timeOf(page), 0.092);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await timeOf(page), 0.083);
  await page.keyboard.press("End");
  assert.equal(await timeOf(page), 10);
  assert.deepEqual(troubles, []);
  await close();
});

test("is scrubbed along the time line, and stops at events", async () => {
  const { page, close } = await open("double_pendulum");
  const start = await sceneOf(page);
  await page.mouse.move(...(await pointIn(track(page), 0.2, 0.63)));
  await page.mouse.down();
  await page.mouse.move(...(await pointIn(track(page), 0.5, 0.63)));
  await page.mouse.move(...(await pointIn(track(page), 0.75, 0.63)));
  await page.mouse.up();
  assert.ok(Math.abs((await timeOf(page)) - 7.5) < 0.02);
  assert.ok(!(await sceneOf(page)).equals(start));

  const mark = page.locator(".mark.event").nth(3);
  const [, told] = /t = ([\d.]+) s/.exec(await mark.getAttribute("title"));
  await mark.click();
  assert.equal(await timeOf(page), Number(told));
  assert.ok((await page.locator(".mark.event").count()) > 10);
  await page.getByText("first violated at").click();
  assert.equal(await timeOf(page), 4.89);
  await close();
});

test("follows the mouse over a plot", async () => {
  const { page, close } = await open("double_pendulum");
  const start = await sceneOf(page);
  await page.mouse.move(...(await pointIn(firstPlot(page), 0.25, 0.5)));
  assert.ok(Math.abs((await timeOf(page)) - 2.5) < 0.03);
  assert.ok(!(await sceneOf(page)).equals(start), "the bodies have moved");

  // The cursor of another plot stands at the same time.
  await page.mouse.move(...(await pointIn(firstPlot(page), 0.6, 0.5)));
  const { left, width } = await page
    .locator(".u-over")
    .nth(1)
    .evaluate((over) => ({
      left: over.querySelector(".needle").getBoundingClientRect().left - over.getBoundingClientRect().left,
      width: over.clientWidth,
    }));
  assert.ok(Math.abs(left / width - 0.6) < 0.01);

  // A dragged stretch is zoomed into, in all plots; a double click shows the whole run again.
  await page.mouse.down();
  await page.mouse.move(...(await pointIn(firstPlot(page), 0.8, 0.5)), { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(...(await pointIn(firstPlot(page), 0.5, 0.4)));
  assert.ok(Math.abs((await timeOf(page)) - 7) < 0.1);
  await page.getByRole("button", { name: "whole run" }).click();
  await page.mouse.move(...(await pointIn(firstPlot(page), 0.5, 0.5)));
  assert.ok(Math.abs((await timeOf(page)) - 5) < 0.03);
  await close();
});

test("shows and hides curves", async () => {
  const { page, close } = await open("double_pendulum");
  const chip = page.locator(".plot").first().locator(".chip", { hasText: "upper" });
  const plot = page.locator(".plot").first().locator("canvas");
  const both = await plot.screenshot();
  await chip.click();
  assert.equal(await chip.getAttribute("aria-pressed"), "false");
  await settle(page);
  assert.ok(!(await plot.screenshot()).equals(both));
  await chip.click();
  assert.equal(await chip.getAttribute("aria-pressed"), "true");
  await close();
});

test("finds its way through many curves and bodies", async () => {
  const { page, close } = await open("tree");
  const names = () => page.locator(".chip[aria-pressed=true] span").allTextContents();
  assert.equal(
    await page.locator(".plot").first().locator(".chip[aria-pressed=true]").count(),
    6,
    "a few curves are shown, not 24",
  );
  await page.getByRole("searchbox").fill("limb17");
  await settle(page);
  const found = await names();
  assert.ok(found.length > 0 && found.every((name) => name.includes("limb17")), String(found));

  await page.getByRole("searchbox").fill("");
  const before = await sceneOf(page);
  await page.getByLabel("Body").selectOption({ label: "limb4" });
  assert.ok((await names()).every((name) => /^limb4[.']/.test(name)));
  assert.ok(!(await sceneOf(page)).equals(before), "the others step back");
  await close();
});

test("shows and hides constraints and their forces", async () => {
  const { page, troubles, close } = await open("rolling_disc");
  const scale = page.locator(".scale");
  assert.ok((await countPixels(page, "bad")) > 100, "forbidden axes");
  assert.ok((await countPixels(page, "good")) > 50, "allowed axes");
  assert.ok((await countPixels(page, "force")) > 100, "an arrow");
  assert.match(await scale.textContent(), /longest arrow 18.57 N/); // m g √(cos² α + sin² α / 9)

  const start = await sceneOf(page);
  await page.keyboard.press("End");
  assert.ok(!(await sceneOf(page)).equals(start), "they move along");
  await choose(page, "Show", "Constraints");
  assert.equal(await countPixels(page, "bad"), 0);
  assert.equal(await countPixels(page, "good"), 0);
  assert.ok((await countPixels(page, "force")) > 100);
  await choose(page, "Show", "Forces");
  assert.equal(await countPixels(page, "force"), 0);
  assert.doesNotMatch(await scale.textContent(), /arrow/);
  assert.deepEqual(troubles, []);
  await close();

  const pendulum = await open("double_pendulum");
  assert.equal(await pendulum.page.locator(".menu button", { hasText: "Constraints" }).count(), 0, "no constraints, no switch");
  await pendulum.close();
});

test("tells the verdicts and the facts of the run", async () => {
  const { page, close } = await open("double_pendulum");
  const cards = await page.locator(".card").allInnerTexts();
  assert.equal(cards.length, 4);
  assert.match(
    cards[0],
    /front wheel\s+violated\s+margin 0.85\s+slips: needs friction 0.71, available 0.60; .*\s+first violated at t = 4.890 s/,
  );
  assert.match(cards[1], /reactions\s+not unique/);
  // What holds is a line until it is opened.
  assert.doesNotMatch(cards[3], /drift/);
  await page.locator("details.card", { hasText: "energy" }).locator("strong").click();
  assert.match(await page.locator(".card").nth(3).innerText(), /energy\s+holds\s+drift 3×10⁻⁹ J of 34 J/);
  const facts = await page.locator(".facts").innerText();
  assert.match(facts, /1.201, all shown/);
  assert.ok(facts.includes("</script><script>throw new Error('escaped')</script><!--"), "names are never code");
  await close();

  const gallery = await open("gallery");
  assert.match(await gallery.page.locator(".warnings").innerText(), /body 'ghost': the mesh 'missing.stl' is not drawn/);
  await gallery.close();
});

test("shows no success below a failure", async () => {
  const { page, close } = await open("failed");
  assert.match(await page.locator(".end").innerText(), /Failed at t = 4 s/);
  assert.equal(await page.locator(".card.holds").count(), 0);
  assert.match(await page.locator(".card.held").innerText(), /energy\s+margin 120\s+held until it failed/);
  assert.ok((await page.locator(".end").boundingBox()).y < (await page.locator("#stage").boundingBox()).y, "above all else");
  assert.equal(await page.locator(".card.violated").count(), 1);
  assert.match(await page.locator(".verdicts > header").innerText(), /held until it failed 1 · violated 1/);
  const tone = (selector) => page.locator(`${selector} strong`).evaluate((node) => getComputedStyle(node).color);
  assert.notEqual(await tone(".card.held"), await tone(".card.violated"));
  const held = await tone(".card.held");
  await close();
  const good = await open("double_pendulum");
  assert.notEqual(held, await good.page.locator(".card.holds strong").first().evaluate((node) => getComputedStyle(node).color));
  await good.close();
});

test("looks well in all windows and both schemes", async () => {
  for (const name of ["double_pendulum", "tree", "rolling_disc"]) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, close } = await open(name, { colorScheme });
      for (const viewport of [kWide, kTall]) {
        await page.setViewportSize(viewport);
        await page.mouse.click(...(await pointIn(track(page), 0.3, 0.63)));
        await page.mouse.move(viewport.width / 2, 10);
        await sceneOf(page);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${name}: nothing stands out of the window`);
        await page.screenshot({ path: join(folder, `${name}-${viewport.width}x${viewport.height}-${colorScheme}.png`) });
      }
      await page.getByRole("button", { name: "Light or dark" }).click();
      assert.equal(
        await page.evaluate(() => document.documentElement.dataset.scheme),
        colorScheme === "light" ? "dark" : "light",
      );
      await close();
    }
  }
});

test("goes to the moment of a verdict and points at what it is about", async () => {
  const { page, troubles, close } = await open("vehicle");
  assert.ok(await page.locator(".spot").isHidden());
  await page.locator(".card.violated .link").click();
  assert.equal(await timeOf(page), 4);
  await settle(page);
  assert.equal(await page.locator(".spot").innerText(), "mast");
  const [stage, spot] = [await page.locator("#stage").boundingBox(), await page.locator(".spot").boundingBox()];
  assert.ok(Math.abs(spot.x + spot.width / 2 - stage.x - stage.width / 2) < 0.25 * stage.width, "the machine is followed");
  assert.match(await page.locator(".mark.violation").getAttribute("title"), /mast.position: first violated at t = 4.00 s/);
  assert.deepEqual(troubles, []);
  await close();

  const doubtful = await open("overlay");
  assert.match(await doubtful.page.locator(".card.not-unique").innerText(), /not unique from t = 1.250 s/);
  await doubtful.close();
});

test("shows a machine that travels, wherever it is", async () => {
  const { page, close } = await open("vehicle");
  for (const key of ["Home", "End"]) {
    await page.keyboard.press(key);
    assert.ok((await countPixels(page, "given")) > 40, `its arrow is seen at ${key}`);
  }
  assert.match(await page.locator(".scale").innerText(), /grid 0\.[25] m.*longest arrow 12.\d+ N.*0\.4 N·m/);
  const followed = await sceneOf(page);
  await choose(page, "View", "Fit");
  assert.ok(!(await sceneOf(page)).equals(followed), "the whole path");
  assert.equal(await page.getByRole("button", { name: "Follow" }).count(), 0, "the menu is closed");
  await close();
});

test("is seen from standard sides, without perspective, and from a point", async () => {
  const { page, troubles, close } = await open("double_pendulum");
  const seen = [await sceneOf(page)];
  for (const view of ["Front", "Side", "Top", "Iso", "Orthographic"]) {
    await choose(page, "View", view);
    const next = await sceneOf(page);
    assert.ok(seen.every((other) => !other.equals(next)), view);
    seen.push(next);
  }
  await page.mouse.dblclick(...(await pointIn(page.locator("#stage canvas"), 0.35, 0.8)));
  assert.ok(!(await sceneOf(page)).equals(seen.at(-1)), "another point is looked at");
  assert.deepEqual(troubles, []);
  await close();
});

test("draws reactions of joints when asked, hides bodies, traces points", async () => {
  const { page, troubles, close } = await open("vehicle");
  assert.ok((await countPixels(page, "event")) < 10);
  await choose(page, "Show", "Joint forces");
  assert.ok((await countPixels(page, "event")) > 40, "an arrow of the joint");
  const before = await sceneOf(page);
  await page.locator(".menu summary", { hasText: "Tree" }).click();
  await page.getByLabel("show cart").uncheck();
  assert.equal(await page.getByLabel("show mast").isChecked(), false, "what it carries goes with it");
  await page.locator("#title").click();
  assert.ok(!(await sceneOf(page)).equals(before));
  assert.ok((await countPixels(page, "event")) < 10, "without its arrows");
  await page.locator(".menu summary", { hasText: "Tree" }).click();
  await page.getByLabel("show cart").check();

  await choose(page, "View", "Fit");
  await choose(page, "Show", "Traces");
  const plain = await sceneOf(page);
  await choose(page, "View", "Follow");
  await choose(page, "Show", "Trace a point");
  await page.mouse.click(...(await pointIn(page.locator("#stage canvas"), 0.5, 0.5)));
  await choose(page, "View", "Fit");
  assert.ok(!(await sceneOf(page)).equals(plain), "the path of the point is drawn");
  assert.deepEqual(troubles, []);
  await close();
});

test("tells 40 curves apart", async () => {
  const { page, close } = await open("vehicle");
  const plot = page.locator(".plot", { has: page.locator(".chip", { hasText: "channel0" }) });
  await plot.getByRole("button", { name: "all" }).click();
  const chips = plot.locator(".chip[aria-pressed=true]");
  assert.equal(await chips.count(), 40);
  assert.ok((await plot.locator(".chip i.dashed").count()) >= 30, "beyond ten colours, dashes");
  await chips.nth(17).hover();
  assert.match(await plot.locator(".chip.focused").innerText(), /channel17/);
  // In the middle of the plot, in time and in value: about 20.
  await page.mouse.move(...(await pointIn(plot.locator(".u-over"), 0.5, 0.5)));
  const [, number] = /channel(\d+)/.exec(await plot.locator(".chip.focused").innerText());
  assert.ok(Math.abs(Number(number) - 19.5) < 2.5, number);
  await close();
});

test("plots what is chosen, over time and over each other, and on logarithmic axes", async () => {
  const { page, troubles, close } = await open("vehicle");
  await page.getByRole("button", { name: "New plot" }).click();
  await page.getByLabel("Filter quantities").fill("cart.ty");
  await page.locator(".choices input").check();
  await page.getByLabel("Over").selectOption("cart.tx");
  await page.getByRole("button", { name: "Plot", exact: true }).click();
  await page.locator(".xy canvas").waitFor();
  assert.match(await page.locator(".xy").innerText(), /cart.ty \[m\][\s\S]*over cart.tx \[m\]/);
  const dot = () => page.locator(".xy .dot").evaluate((node) => node.style.transform);
  await page.keyboard.press("Home");
  const start = await dot();
  await page.keyboard.press("End");
  assert.notEqual(await dot(), start, "the dot is where the run is");

  // A link to the moment brings the plot along.
  await choose(page, "Save", "Link");
  const { hash } = new URL(page.url());
  assert.equal(hash, "#t=10&plot=cart.ty%3Acart.tx");
  const again = await open("vehicle", { hash: "#t=2.5&plot=cart.tx,channel3" });
  assert.equal(await timeOf(again.page), 2.5);
  assert.match(await again.page.locator(".own .unit").innerText(), /m \| m\/s/);
  const plot = again.page.locator(".own .plot");
  const linear = await plot.locator("canvas").screenshot();
  await plot.getByRole("button", { name: "log" }).click();
  await settle(again.page);
  assert.ok(!(await plot.locator("canvas").screenshot()).equals(linear));
  await plot.getByRole("button", { name: "remove" }).click();
  assert.equal(await again.page.locator(".own .plot").count(), 0);
  assert.deepEqual([...troubles, ...again.troubles], []);
  await again.close();
  await close();
});

test("saves pictures, drawings, tables and a video", async () => {
  const { page, troubles, close } = await open("vehicle");
  const plot = page.locator(".plot").first();
  const svg = readFileSync(await saved(page, () => plot.getByRole("button", { name: "SVG" }).click()), "utf8");
  assert.match(svg, /^<svg [\s\S]*cart.tx[\s\S]*<\/svg>\n$/);
  assert.equal((svg.match(/clip-path="url/g) ?? []).length, 2, "two curves");

  const rows = readFileSync(await saved(page, () => plot.getByRole("button", { name: "CSV" }).click()), "utf8").trim().split("\n");
  assert.equal(rows[0], "t [s],cart.tx [m],cart.ty [m]");
  assert.equal(rows.length, 402);
  const [t, x, y] = rows[101].split(",").map(Number);
  assert.equal(t, 2.5);
  assert.equal(x, 15);
  assert.ok(Math.abs(y - 4 * Math.sin(2.5)) < 1e-14);

  const png = readFileSync(await saved(page, () => choose(page, "Save", "Picture")));
  assert.deepEqual([...png.subarray(1, 4)], [..."PNG"].map((c) => c.charCodeAt(0)));

  await page.getByLabel("Speed").selectOption("20");
  const film = await saved(page, () => choose(page, "Save", "Video"));
  assert.match(film, /vehicle\.webm$/);
  assert.deepEqual([...readFileSync(film).subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3], "EBML");
  assert.ok(statSync(film).size > 2000);
  assert.deepEqual(troubles, []);
  await close();
});

test("lays a second run over the first", async () => {
  const { page, troubles, close } = await open("overlay");
  assert.match(await page.locator(".clock").innerText(), /\/ 5.00 s/, "the longer one sets the time line");
  assert.match(await page.locator("#panel").innerText(), /Verdicts of Pendulum, wider/);
  assert.match(await page.locator(".plots > header").innerText(), /dashed: the second run/);
  const rows = readFileSync(
    await saved(page, () => page.locator(".plot").first().getByRole("button", { name: "CSV" }).click()),
    "utf8",
  ).trim().split("\n");
  assert.equal(rows[0], "t [s],bob [rad],bob (second run) [rad]");
  assert.deepEqual(rows[1].split(",").map(Number), [0, 0.4, 0.8]);
  const last = rows.at(-1).split(",");
  assert.equal(last[1], "", "the first run has ended");
  assert.ok(Math.abs(Number(last[0]) - 5) < 1e-9 && Number.isFinite(Number(last[2])));
  const start = await sceneOf(page);
  await page.keyboard.press("End");
  assert.ok(!(await sceneOf(page)).equals(start));
  assert.deepEqual(troubles, []);
  await close();
});

test("bears a million events", async () => {
  const { page, troubles, close } = await open("events");
  assert.match(await page.locator(".events summary").innerText(), /the first 600.000 of 1.000.000/);
  assert.ok((await page.locator(".mark.event").count()) < 400, "marks are put together");
  assert.match(await page.locator(".mark.event").first().getAttribute("title"), /events, t = /);
  await page.locator(".events summary").click();
  const list = page.locator(".events .window");
  assert.ok((await list.locator("li").count()) < 20, "only rows in sight are there");
  await list.evaluate((node) => (node.scrollTop = node.scrollHeight));
  await settle(page);
  await list.locator("button").last().click();
  assert.ok(Math.abs((await timeOf(page)) - 4e-6 * 599_999) < 1e-4);
  await page.getByLabel("Which events").selectOption("thousandth");
  await list.locator("button").nth(1).click();
  assert.equal(await timeOf(page), 0.004);
  assert.deepEqual(troubles, []);
  await close();
});

// The laws of tree.h, in the page and in the library.
test("moves the joints by sliders", async () => {
  const { build } = await import("esbuild");
  const source = join(dirname(fileURLToPath(import.meta.url)), "..", "src", "sliders.ts");
  const bundle = await build({ entryPoints: [source], bundle: true, format: "esm", write: false });
  const { placeBodies } = await import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].text).toString("base64")}`);
  const { kinematics, bodies } = documentOf("pose");
  const places = placeBodies(kinematics, kinematics.coordinates.map(({ value }) => value));
  assert.equal(places.length, 9);
  bodies.forEach(({ name, poses }, i) => {
    const [x, y, z, ...Q] = numbers(poses, Float32Array);
    const { position, orientation } = places[i];
    assert.ok(Math.hypot(position.x - x, position.y - y, position.z - z) < 1e-6, name);
    const { w, x: a, y: b, z: c } = orientation;
    assert.ok(Math.abs(Math.abs(w * Q[0] + a * Q[1] + b * Q[2] + c * Q[3]) - 1) < 1e-6, name);
  });

  const { page, troubles, close } = await open("pose");
  assert.equal(await page.locator(".slider").count(), 1 + 1 + 1 + 3 + 3 + 2 + (3 + 3) + 2);
  const start = await sceneOf(page);
  for (const name of ["turned", "ball about y", "free.tx"]) {
    const slider = page.getByLabel(name, { exact: true });
    const before = await sceneOf(page);
    await slider.focus();
    await slider.press("PageUp");
    assert.ok(!(await sceneOf(page)).equals(before), name);
  }
  await page.getByRole("button", { name: "Start pose" }).click();
  await page.mouse.move(5, 5);
  assert.ok((await sceneOf(page)).equals(start), "back where it began");
  assert.deepEqual(troubles, []);
  await close();
});

test("has no words on each other on a phone", async () => {
  for (const name of ["vehicle", "double_pendulum", "failed", "pose"]) {
    const { page, close } = await open(name, { viewport: { width: 390, height: 844 } });
    const clashes = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll("#stage .tools > *, #stage .scale, #stage .gizmo, .end, #title, .track, .clock, .play, .options > select")]
        .map((node) => ({ name: node.className || node.id || node.tagName, box: node.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && box.height > 0);
      const found = boxes.filter(({ box }) => box.left < -1 || box.right > innerWidth + 1).map(({ name }) => `${name} is cut`);
      boxes.forEach((a, i) =>
        boxes.slice(i + 1).forEach((b) => {
          const over = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
          const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
          if (over > 1 && high > 1) found.push(`${a.name} on ${b.name}`);
        }),
      );
      return found;
    });
    assert.deepEqual(clashes, [], name);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, name);
    await close();
  }
});
