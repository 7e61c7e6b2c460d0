// Reads HdrHistogram's compressed text (V2, deflate, Base64) and adds such histograms up. Values are microseconds.

const COOKIE = 0x1c849303
const COMPRESSED = 0x1c849304
/** The low four bits of the cookie after its family say how wide words are; they do not matter here. */
const FAMILY = 0xffffff0f
const HEADER_BYTES = 40

export interface Histogram {
  /** Counts by value, in the histogram's own steps: the highest value that counts as the same. */
  counts: Map<number, number>
  total: number
}

export const nothing = (): Histogram => ({ counts: new Map(), total: 0 })

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<DataView> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))
  return new DataView(await new Response(stream).arrayBuffer())
}

export async function decode(text: string): Promise<Histogram> {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  const outer = new DataView(bytes.buffer)
  if ((outer.getInt32(0) & FAMILY) >>> 0 !== (COMPRESSED & FAMILY) >>> 0)
    throw new Error('no compressed histogram')
  const view = await inflated(bytes.slice(8))
  if ((view.getInt32(0) & FAMILY) >>> 0 !== (COOKIE & FAMILY) >>> 0)
    throw new Error('no histogram of version 2')
  const payload = view.getInt32(4)
  const digits = view.getInt32(12)
  const lowest = Number(view.getBigInt64(16))
  const end = Math.min(view.byteLength, HEADER_BYTES + payload)
  return read(view, end, digits, lowest)
}

function read(view: DataView, end: number, digits: number, lowest: number): Histogram {
  // As HdrHistogram lays its counters out: buckets of twice the width each, halved after the first.
  const unit = Math.floor(Math.log2(Math.max(1, lowest)))
  const subBits = Math.ceil(Math.log2(2 * 10 ** digits))
  const half = 2 ** (subBits - 1)
  const highest = (index: number) => {
    let bucket = Math.floor(index / half) - 1
    let sub = (index % half) + half
    if (bucket < 0) {
      sub -= half
      bucket = 0
    }
    return (sub + 1) * 2 ** (bucket + unit) - 1
  }
  const found = nothing()
  let at = HEADER_BYTES
  let index = 0
  while (at < end) {
    const [count, next] = zigZag(view, at)
    at = next
    // Negative numbers are runs of empty counters.
    if (count < 0) index -= count
    else {
      if (count > 0) add(found, highest(index), count)
      index += 1
    }
  }
  return found
}

/** LEB128 of at most nine bytes, the ninth whole. */
function zigZag(view: DataView, from: number): [number, number] {
  let value = 0n
  let at = from
  for (let turn = 0n; turn < 9n; turn += 1n) {
    const byte = BigInt(view.getUint8(at))
    at += 1
    if (turn === 8n) {
      value |= byte << 56n
      break
    }
    value |= (byte & 0x7fn) << (7n * turn)
    if (byte < 0x80n) break
  }
  return [Number((value >> 1n) ^ -(value & 1n)), at]
}

export function add(to: Histogram, value: number, count: number) {
  to.counts.set(value, (to.counts.get(value) ?? 0) + count)
  to.total += count
}

export function addAll(to: Histogram, other: Histogram) {
  for (const [value, count] of other.counts) add(to, value, count)
}

/** The value below which this share of the samples lies. */
export function percentile({ counts, total }: Histogram, share: number): number | undefined {
  if (!total) return undefined
  const wanted = Math.max(1, Math.ceil(share * total))
  let seen = 0
  for (const value of [...counts.keys()].sort((one, other) => one - other)) {
    seen += counts.get(value) ?? 0
    if (seen >= wanted) return value
  }
  return undefined
}
