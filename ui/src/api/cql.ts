// CQL from values: quotes and wildcards in what was typed or scanned are taken literally.

export const quoted = (value: string): string => `"${value.replace(/[\\"*?^]/g, '\\$&')}"`

export const equals = (index: string, value: string): string => `${index}==${quoted(value)}`

export const anyOf = (index: string, values: readonly string[]): string =>
  `${index}==(${values.map(quoted).join(' or ')})`

export const all = (...parts: (string | undefined)[]): string =>
  parts.filter(Boolean).join(' and ') || 'cql.allRecords=1'
