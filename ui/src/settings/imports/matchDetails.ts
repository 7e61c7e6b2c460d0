// How a match profile compares: FOLIO keeps the places in a record as lists of labels and values, a form has fields.
import { type Values, valueAt } from '../paths'

const LABELS = ['field', 'indicator1', 'indicator2', 'recordSubfield'] as const
const isMarc = (type: unknown) => String(type).startsWith('MARC')

interface Part {
  label: string
  value?: string
}

const placesOf = (expression: unknown): Values => {
  const fields = (valueAt((expression ?? {}) as Values, 'fields') ?? []) as readonly Part[]
  return Object.fromEntries(
    LABELS.flatMap((label) => {
      const value = fields.find((one) => one.label === label)?.value
      return value ? [[label, value]] : []
    }),
  )
}

const expressionOf = (before: unknown, places: unknown, type: unknown): Values => {
  const values = (places ?? {}) as Values
  const labels = isMarc(type) ? LABELS : (['field'] as const)
  return {
    ...((before ?? { dataValueType: 'VALUE_FROM_RECORD' }) as Values),
    fields: labels.map((label) => ({ label, value: String(values[label] ?? '') })),
  }
}

export const rowsOf = (details: unknown): Values[] =>
  ((details ?? []) as readonly Values[]).map((detail) => ({
    ...detail,
    $in: placesOf(detail.incomingMatchExpression),
    $ex: placesOf(detail.existingMatchExpression),
  }))

/** The rows as FOLIO keeps them; what a form has no field for stays as it was. */
export const detailsOf = (profile: Values, rows: unknown): Values[] =>
  ((rows ?? []) as readonly Values[]).map(({ $in, $ex, ...detail }) => ({
    ...detail,
    incomingRecordType: profile.incomingRecordType,
    existingRecordType: profile.existingRecordType,
    incomingMatchExpression: expressionOf(
      detail.incomingMatchExpression,
      $in,
      profile.incomingRecordType,
    ),
    existingMatchExpression: expressionOf(
      detail.existingMatchExpression,
      $ex,
      profile.existingRecordType,
    ),
  }))
