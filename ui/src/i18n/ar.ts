// The messages of the first pages in this language, compiled at build time; areas.ts has the others.
const areas = import.meta.glob('../../messages/ar/{shell,desk,check-in,check-out}.json', {
  eager: true,
  import: 'default',
})

export const messages: Record<string, unknown> = Object.assign({}, ...Object.values(areas))
