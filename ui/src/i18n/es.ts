// All messages in this language, compiled at build time.
const areas = import.meta.glob('../../messages/es/*.json', { eager: true, import: 'default' })

export const messages: Record<string, unknown> = Object.assign({}, ...Object.values(areas))
