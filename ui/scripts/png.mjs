// Makes a picture small: at most 256 colours, those that are used most and differ; others become the nearest of them. Enough
// for pages of words and flat grounds. Reads PNGs as Chromium writes them (8 bits, no interlace).
import { deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const COLOURS = 256

/** @param {Buffer} png @returns {Buffer} */
export function small(png) {
  const { width, height, rgb } = decode(png)
  const counts = new Map()
  for (const colour of rgb) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = paletteOf(counts)
  const places = new Map(palette.map((colour, at) => [colour, at]))
  for (const colour of counts.keys())
    if (!places.has(colour)) places.set(colour, nearest(palette, colour))
  const rows = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows[y * (width + 1) + 1 + x] = places.get(rgb[y * width + x])
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // 8 bits, by palette.
  head.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The most used colours that differ by more than a little: so many little that 256 suffice. Rare ones, such as
 *  those of a small sign, are kept before shades of the frequent ones. */
function paletteOf(counts) {
  const colours = [...counts.entries()].sort((one, other) => other[1] - one[1]).map(([c]) => c)
  for (let little = 0; ; little += 3) {
    const palette = []
    for (const colour of colours) {
      if (palette.every((one) => distance(one, colour) > little * little)) palette.push(colour)
      if (palette.length > COLOURS) break
    }
    if (palette.length <= COLOURS) return palette
  }
}

function distance(one, other) {
  let sum = 0
  for (const by of [16, 8, 0]) sum += (((one >> by) & 255) - ((other >> by) & 255)) ** 2
  return sum
}

function nearest(palette, colour) {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < palette.length; at += 1) {
    const far = distance(palette[at], colour)
    if (far < least) [best, least] = [at, far]
  }
  return best
}

function decode(png) {
  const parts = []
  let width = 0
  let height = 0
  let bytes = 3
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const kind = png.toString('latin1', at + 4, at + 8)
    const data = png.subarray(at + 8, at + 8 + length)
    if (kind === 'IHDR') {
      width = data.readUInt32BE(0)
      height = data.readUInt32BE(4)
      bytes = data[9] === 6 ? 4 : 3
      if (data[8] !== 8 || data[12] !== 0) throw new Error('no picture of 8 bits without interlace')
    }
    if (kind === 'IDAT') parts.push(data)
    at += length + 12
  }
  return { width, height, rgb: pixels(inflateSync(Buffer.concat(parts)), width, height, bytes) }
}

/** Undoes the filters of the rows. */
function pixels(raw, width, height, bytes) {
  const line = width * bytes
  const rgb = new Uint32Array(width * height)
  let above = new Uint8Array(line)
  for (let y = 0; y < height; y += 1) {
    const from = y * (line + 1)
    const row = new Uint8Array(raw.subarray(from + 1, from + 1 + line))
    for (let x = 0; x < line; x += 1) {
      const left = x >= bytes ? row[x - bytes] : 0
      const corner = x >= bytes ? above[x - bytes] : 0
      row[x] += guess(raw[from], left, above[x], corner)
    }
    for (let x = 0; x < width; x += 1)
      rgb[y * width + x] = (row[x * bytes] << 16) | (row[x * bytes + 1] << 8) | row[x * bytes + 2]
    above = row
  }
  return rgb
}

function guess(filter, left, up, corner) {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const sum = left + up - corner
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(sum - one))
  return a <= b && a <= c ? left : b <= c ? up : corner
}

const TABLE = Array.from({ length: 256 }, (_, at) => {
  let value = at
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  let sum = 0xffffffff
  for (const byte of body) sum = TABLE[(sum ^ byte) & 255] ^ (sum >>> 8)
  const [length, end] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  end.writeUInt32BE((sum ^ 0xffffffff) >>> 0)
  return Buffer.concat([length, body, end])
}
