// Writes src/ui/icons.tsx from lucide-static: the icons named here, as typed paths. Run after adding a name.
import { readFileSync, writeFileSync } from 'node:fs'

const NAMES =
  `clock clock-alert hand move-vertical pause activity archive arrow-down arrow-left-right arrow-up arrow-up-down book circle-alert code columns-3 copy disc-3 film link list-filter list-tree map music newspaper undo-2 unlink armchair arrow-down-up ban bike book-down book-key book-plus book-up bookmark
bookmark-x calendar-clock calendar-days check chevron-down chevron-left chevron-right chevron-up
circle-help cloud-off coins corner-down-left download ellipsis external-link eye file-pen-line
building-2 circle-x equal grip-vertical hard-drive-download history id-card inbox info keyboard languages library list list-checks lock log-out map-pin menu octagon-x package-check palette pencil play plus printer receipt-text refresh-cw rotate-ccw scan-barcode search settings shopping-cart sliders-horizontal sticky-note trash-2 triangle-alert truck upload user users volume-2 volume-x wallet x`.split(
    /\s+/,
  )

const shapes = NAMES.map((name) => {
  const svg = readFileSync(
    new URL(`../node_modules/lucide-static/icons/${name}.svg`, import.meta.url),
    'utf8',
  )
  const body = svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'))
  const parts = [...body.matchAll(/<(\w+)\s([^/]*)\/>/g)].map(([, tag, text]) => {
    const attributes = Object.fromEntries(
      [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, k, v]) => [k, v]),
    )
    return [tag, attributes]
  })
  return `  '${name}': ${JSON.stringify(parts)},`
})

writeFileSync(
  new URL('../src/ui/icons.tsx', import.meta.url),
  `// Written by scripts/icons.mjs. The shapes are Lucide's (ISC License, Copyright (c) Lucide Contributors;
// parts from Feather, MIT License, Copyright (c) Cole Bemis).
type Shape = readonly (readonly [string, Readonly<Record<string, string>>])[]
const shapes = {
${shapes.join('\n')}
} as const satisfies Record<string, Shape>

export type IconName = keyof typeof shapes
export const shapeOf = (name: IconName): Shape => shapes[name]
`,
)
