// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

// node report_page.test.mjs DEMO CHROMIUM FOLDER: opens the reports that DEMO writes into FOLDER, does what a reader would do, and
// leaves screenshots there.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

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
async function open(name, { viewport = kWide, colorScheme = "light" } = {}) {
  const context = await browser.newContext({ viewport, colorScheme });
  const page = await context.newPage();
  const troubles = [];
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  page.on("pageerror", (error) => troubles.push(error.stack));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || troubles.push(`request: ${request.url()}`));
  const path = join(folder, `${name}.html`);
  assert.ok(existsSync(path));
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector("html[data-ready=true]");
  await page.locator(".u-over").first().waitFor();
  return { page, troubles, close: () => context.close() };
}

const timeOf = async (page) => parseFloat((await page.locator(".now").textContent()).replace("−", "-"));
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

const track = (page) => page.locator(".track");
const firstPlot = (page) => page.locator(".u-over").first();

test("opens without errors, and without the network", async () => {
  for (const name of ["double_pendulum", "spinning_top", "tree", "gallery", "rolling_disc"]) {
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
  await page.waitForFunction(() => parseFloat(document.querySelector(".now").textContent) > 0.3);
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
  await page.getByRole("button", { name: "Constraints" }).click();
  assert.equal(await countPixels(page, "bad"), 0);
  assert.equal(await countPixels(page, "good"), 0);
  assert.ok((await countPixels(page, "force")) > 100);
  await page.getByRole("button", { name: "Forces" }).click();
  assert.equal(await countPixels(page, "force"), 0);
  assert.doesNotMatch(await scale.textContent(), /arrow/);
  assert.deepEqual(troubles, []);
  await close();

  const pendulum = await open("double_pendulum");
  assert.equal(await pendulum.page.getByRole("button", { name: "Constraints" }).count(), 0, "no constraints, no switch");
  await pendulum.close();
});

test("tells the verdicts and the facts of the run", async () => {
  const { page, close } = await open("double_pendulum");
  const cards = await page.locator(".card").allInnerTexts();
  assert.equal(cards.length, 4);
  assert.match(
    cards[0],
    /front wheel\s+violated\s+margin 0.85\s+slips: needs friction 0.71, has 0.60; .*\s+first violated at t = 4.890 s/,
  );
  assert.match(cards[1], /reactions\s+not unique/);
  assert.match(cards[3], /energy\s+holds\s+drift 3×10⁻⁹ J of 34 J/);
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
  assert.match(await page.locator(".card.held").innerText(), /energy\s+held until it failed\s+margin 120/);
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
  for (const name of ["double_pendulum", "spinning_top", "tree", "gallery", "rolling_disc"]) {
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
