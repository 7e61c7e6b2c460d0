/** The same picture with at most 256 colours. */
export function small(png: Buffer): Buffer
