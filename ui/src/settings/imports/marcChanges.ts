// What a mapping profile changes in a MARC record: fields that are added, deleted, edited, moved; or the fields that an
// update takes over.
type Action = 'ADD' | 'DELETE' | 'EDIT' | 'MOVE'

export interface MarcField {
  field?: string
  indicator1?: string
  indicator2?: string
  subfields?: readonly MarcSubfield[]
}
export interface MarcSubfield {
  subfield?: string
  subaction?: string
  position?: string
  data?: { text?: string; find?: string; replaceWith?: string; marcField?: MarcField }
}
export interface MarcChange {
  order?: number
  action?: Action
  field: MarcField
}

export const ACTIONS: readonly Action[] = ['ADD', 'DELETE', 'EDIT', 'MOVE']
export const EDITS = ['INSERT', 'REPLACE', 'REMOVE', 'ADD_SUBFIELD'] as const
export const POSITIONS = ['BEFORE_STRING', 'AFTER_STRING'] as const
export const MOVES = ['CREATE_NEW_FIELD', 'ADD_TO_EXISTING_FIELD'] as const

/** Fields without indicators and subfields. */
export const isControl = (field: string | undefined) => /^00/.test(field ?? '')
const WHOLE = '*'

/** A new subfield may stand as an insertion, as FOLIO's own form has it. */
export const editOf = ({ subaction = 'INSERT', position }: MarcSubfield) =>
  subaction === 'INSERT' && position === 'NEW_SUBFIELD' ? 'ADD_SUBFIELD' : subaction

export const newSubfield = (action: Action | undefined): MarcSubfield => {
  if (action === 'EDIT') return { subaction: 'INSERT', position: 'BEFORE_STRING' }
  if (action === 'MOVE') return { subfield: WHOLE, subaction: 'CREATE_NEW_FIELD' }
  return action === 'DELETE' ? { subfield: WHOLE } : {}
}

/** Indicators: any for what is looked for, blank for what is made. */
const indicatorOf = (action: Action | undefined) => (action === 'ADD' ? '' : WHOLE)

export const newChange = (action: Action): MarcChange => ({
  action,
  field: {
    indicator1: indicatorOf(action),
    indicator2: indicatorOf(action),
    subfields: [newSubfield(action)],
  },
})

/** Another act has other details: the field and the codes of its subfields stay, and what was typed. */
export function withAction({ order, action: before, field }: MarcChange, action: Action) {
  const usual = indicatorOf(before)
  const isUsual = [field.indicator1, field.indicator2].every((one) => (one ?? '') === usual)
  const indicators = isUsual
    ? { indicator1: indicatorOf(action), indicator2: indicatorOf(action) }
    : {}
  const subfields = (field.subfields ?? []).map((one) => ({
    ...newSubfield(action),
    ...(one.subfield ? { subfield: one.subfield } : {}),
    data: one.data,
  }))
  return { order, action, field: { ...field, ...indicators, subfields } }
}
/** A field that an update takes over: whole, or not at all. */
export const newTaken = (): MarcChange => ({
  action: 'EDIT',
  field: { indicator1: '*', indicator2: '*', subfields: [{ subfield: WHOLE }] },
})

const codeOf = ({ field }: MarcField, { subfield }: MarcSubfield) =>
  subfield || (isControl(field) ? WHOLE : '')

/** As it is sent: what another choice left behind goes, the order is that of the list. */
export function cleanedChanges(changes: readonly MarcChange[], takes: boolean): MarcChange[] {
  return changes.map(({ action = 'EDIT', field }, order) => {
    const subfields = field.subfields ?? []
    const [first] = subfields
    return {
      order,
      action,
      field: {
        field: field.field?.trim(),
        indicator1: field.indicator1 ?? '',
        indicator2: field.indicator2 ?? '',
        subfields: subfields.map((one, at) => {
          const code = { subfield: codeOf(field, one) }
          if (takes || action === 'DELETE') return code
          if (action === 'ADD') return { ...code, ...added(one, at < subfields.length - 1) }
          return action === 'EDIT'
            ? { ...code, ...edited(one) }
            : { ...code, ...moved(one, first ?? one) }
        }),
      },
    }
  })
}

const added = ({ data }: MarcSubfield, more: boolean): MarcSubfield => ({
  ...(more ? { subaction: 'ADD_SUBFIELD' } : {}),
  data: { text: data?.text ?? '' },
})

function edited(one: MarcSubfield): MarcSubfield {
  const subaction = editOf(one)
  const { text = '', find = '', replaceWith = '' } = one.data ?? {}
  if (subaction === 'REPLACE') return { subaction, data: { find, replaceWith } }
  if (subaction === 'INSERT')
    return { subaction, position: one.position ?? 'BEFORE_STRING', data: { text } }
  return { subaction, data: { text } }
}

/** All subfields of a change go to one field: the first says which. */
function moved(one: MarcSubfield, first: MarcSubfield): MarcSubfield {
  const { field, indicator1 = '', indicator2 = '' } = first.data?.marcField ?? {}
  const [to] = one.data?.marcField?.subfields ?? []
  return {
    subaction: first.subaction ?? 'CREATE_NEW_FIELD',
    data: {
      marcField: {
        field: field?.trim(),
        indicator1,
        indicator2,
        ...(to?.subfield ? { subfields: [{ subfield: to.subfield }] } : {}),
      },
    },
  }
}

const isTag = (text: string | undefined) => /^[0-9a-z]{3}$/i.test(text?.trim() ?? '')
const isCode = (text: string | undefined, whole = true) =>
  /^[0-9a-z]$/i.test(text ?? '') || (whole && text === WHOLE)

/** What is missing or cannot be carried out, by place: "1/field", "1/0/text"; "needed" where there is nothing to do. */
export function lackingChanges(changes: readonly MarcChange[], takes: boolean): string[] {
  if (!takes && !changes.length) return ['needed']
  return changes.flatMap(({ action, field }, at) => {
    const faults = isTag(field.field) ? [] : [`${at}/field`]
    const subfields = field.subfields ?? []
    if (!subfields.length) faults.push(`${at}/subfields`)
    for (const [number, one] of subfields.entries())
      for (const part of takes
        ? codeOf(field, one) === WHOLE
          ? []
          : ['subfield']
        : lackingParts(action, field, one, number === 0))
        faults.push(`${at}/${number}/${part}`)
    return faults
  })
}

function lackingParts(
  action: Action | undefined,
  field: MarcField,
  one: MarcSubfield,
  isFirst: boolean,
): string[] {
  const faults: string[] = []
  const { text, find, marcField } = one.data ?? {}
  const edit = action === 'EDIT' ? editOf(one) : undefined
  const isNew = action === 'ADD' || edit === 'ADD_SUBFIELD'
  if (!isControl(field.field) && !isCode(one.subfield, !isNew)) faults.push('subfield')
  if ((isNew || edit === 'INSERT') && !text) faults.push('text')
  if (edit === 'REPLACE' && !find) faults.push('find')
  if (action === 'MOVE') {
    if (isFirst && !isTag(marcField?.field)) faults.push('to')
    const [to] = marcField?.subfields ?? []
    if (to?.subfield && !isCode(to.subfield, false)) faults.push('toSubfield')
  }
  return faults
}
