// Writes a .br twin beside each built text file; server/staff embeds both.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'

const dist = new URL('../dist/files/', import.meta.url)
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(js|css|html|svg|json|txt)$/.test(entry.name)) continue
  const path = `${entry.parentPath}/${entry.name}`
  const plain = readFileSync(path)
  const packed = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  if (packed.length < plain.length * 0.95) writeFileSync(`${path}.br`, packed)
}
// The manifest serves scripts/budget.mjs only; budget reads it from here.
rmSync(new URL('manifest.json.br', dist), { force: true })
