// Small checks of unknown values, for what is read back from storage.

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isText = (value: unknown): value is string => typeof value === 'string'

export const oneOf =
  <const T extends readonly string[]>(choices: T) =>
  (value: unknown): value is T[number] =>
    typeof value === 'string' && choices.includes(value)
