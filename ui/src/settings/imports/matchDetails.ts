// How a match profile compares: FOLIO keeps the places in a record as lists of labels and values, a form has fields. A
// profile compares one thing (the import refuses more); further ones that somebody stored are rows of the form.
import { type Values, valueAt } from '../paths'

const LABELS = ['field', 'indicator1', 'indicator2', 'recordSubfield'] as const
/** The property that has a kind beside its value. */
export const IDENTIFIERS = 'instance.identifiers[].value'
const KIND = 'identifierTypeId'
export const STATIC = 'STATIC_VALUE'
const isMarc = (type: unknown) => String(type).startsWith('MARC')

interface Part {
  label: string
  value?: string
}

const placesOf = (expression: unknown): Values => {
  const fields = (valueAt((expression ?? {}) as Values, 'fields') ?? []) as readonly Part[]
  return Object.fromEntries(fields.flatMap(({ label, value }) => (value ? [[label, value]] : [])))
}

function fieldsOf(places: Values, type: unknown): Part[] {
  const labels: readonly string[] = isMarc(type)
    ? LABELS
    : places.field === IDENTIFIERS && places[KIND]
      ? ['field', KIND]
      : ['field']
  return labels.map((label) => ({ label, value: String(places[label] ?? '') }))
}

/** Without what says nothing: a qualifier needs its text, and is none without a kind. */
function qualifierOf(value: unknown): Values | undefined {
  const { qualifierType, qualifierValue, comparisonPart } = (value ?? {}) as Values
  const kept = {
    ...(qualifierType ? { qualifierType, qualifierValue } : {}),
    ...(comparisonPart ? { comparisonPart } : {}),
  }
  return Object.keys(kept).length ? kept : undefined
}

/** The value of the chosen kind alone. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  TEXT: ['text'],
  NUMBER: ['number'],
  EXACT_DATE: ['exactDate'],
  DATE_RANGE: ['fromDate', 'toDate'],
}

function staticOf(value: unknown): Values {
  const details = (value ?? {}) as Values
  const type = String(details.staticValueType ?? 'TEXT')
  return {
    staticValueType: type,
    ...Object.fromEntries((VALUES[type] ?? []).map((name) => [name, details[name]])),
  }
}

function expressionOf(before: unknown, places: unknown, type: unknown): Values {
  const { qualifier, staticValueDetails, ...rest } = (before ?? {}) as Values
  if (type === STATIC)
    return {
      ...rest,
      dataValueType: STATIC,
      fields: [],
      staticValueDetails: staticOf(staticValueDetails),
    }
  const kept = qualifierOf(qualifier)
  return {
    ...rest,
    dataValueType: 'VALUE_FROM_RECORD',
    fields: fieldsOf((places ?? {}) as Values, type),
    ...(kept ? { qualifier: kept } : {}),
  }
}

/** A comparison as the form has it: with the places of both sides. */
function shown(detail: Values): Values {
  const { dataValueType } = (detail.incomingMatchExpression ?? {}) as Values
  return {
    ...detail,
    ...(dataValueType === STATIC ? { incomingRecordType: STATIC } : {}),
    $in: placesOf(detail.incomingMatchExpression),
    $ex: placesOf(detail.existingMatchExpression),
  }
}

/** What the form has no field for stays as it was. */
function stored({ $in, $ex, ...detail }: Values): Values {
  const { incomingMatchExpression: incoming, existingMatchExpression: existing } = detail
  return {
    ...detail,
    incomingMatchExpression: expressionOf(incoming, $in, detail.incomingRecordType),
    existingMatchExpression: expressionOf(existing, $ex, detail.existingRecordType),
  }
}

/** The profile as the form has it: its first comparison apart, since it is the only one that the import takes. */
export function matchForm(profile: Values): Values {
  const { matchDetails, ...rest } = profile
  const { incomingRecordType, existingRecordType } = rest
  const types = { incomingRecordType, existingRecordType }
  const [first = types, ...others] = ((matchDetails ?? []) as readonly Values[]).map((detail) =>
    shown({ ...types, ...detail }),
  )
  return {
    ...rest,
    ...(first.incomingRecordType === STATIC ? { incomingRecordType: STATIC } : {}),
    $detail: first,
    $others: others,
  }
}

/** The comparisons as FOLIO keeps them; the record types of the first are the profile's. */
export function detailsOf(profile: Values): Values[] {
  const { incomingRecordType, existingRecordType } = profile
  const detail = { ...((profile.$detail ?? {}) as Values), incomingRecordType, existingRecordType }
  const others = (profile.$others ?? []) as readonly Values[]
  return [detail, ...others].map(stored)
}
