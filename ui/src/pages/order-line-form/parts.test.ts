import { expect, test } from 'vitest'
import type { Text } from '#/i18n/text'
import { FIXED, lineParts } from './parts'

const t: Text = (id) => id
const names = (isOpen: boolean) =>
  lineParts(t, (values) => values.map((value) => ({ value, text: value })), {
    isStored: true,
    isOpen,
    funds: { name: 'fundDistribution', label: '', kind: 'rows', fields: [] },
    methods: [],
    currencies: [],
    tags: { name: 'tags:tagList', label: '', kind: 'texts' },
    custom: [{ id: 'c', name: 'Course', refId: 'course', type: 'TEXTBOX_SHORT' }],
  }).flatMap(({ fields }) => fields.map(({ name }) => name))

test('a form has each field once, and once the order is open none that is fixed', () => {
  const pending = names(false)
  expect(new Set(pending).size).toBe(pending.length)
  for (const name of FIXED) expect(pending).toContain(name)
  const open = names(true)
  expect(open.filter((name) => FIXED.has(name))).toEqual([])
  expect(open).toEqual(
    expect.arrayContaining(['titleOrPackage', 'claimingActive', 'customFields:course']),
  )
})
