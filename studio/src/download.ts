// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
import { element } from "./dom";

// Hands a file to the reader.
export function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export const saveText = (name: string, type: string, text: string): void => save(name, new Blob([text], { type }));

// A name for a file, out of a title.
export const fileName = (title: string, ending: string): string =>
  `${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "vinculum"}.${ending}`;

// A cell of a table: quoted where a comma or a quote would break the row.
export const csvCell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
