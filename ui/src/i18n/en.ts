// The messages of the first pages in this language, compiled at build time, and where those of the other areas are.
const first = import.meta.glob('../../messages/en/{shell,desk,check-in,check-out,offline}.json', {
  eager: true,
  import: 'default',
})

export const messages: Record<string, unknown> = Object.assign({}, ...Object.values(first))

export const areas = import.meta.glob<Record<string, unknown>>(
  ['../../messages/en/*.json', '!../../messages/en/{shell,desk,check-in,check-out,offline}.json'],
  { import: 'default' },
)
