// Field mappings of lists, changes of MARC records, comparisons by a part and by a fixed value: made in the settings,
// and what an import does with them.
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { pick, setUp } from './forms'
import {
  CREATE_TITLE,
  fieldsOf,
  idOf,
  importFile,
  importTitle,
  makeAction,
  makeJob,
  match,
  stored,
  titleOf,
} from './importing'
import { marc } from './marc21'
import { mark } from './money'

const LIST = 'Field mapping profiles'
const named = (page: Page, name: string) =>
  page.getByRole('textbox', { name: /^Name/ }).first().fill(name)
const text = (at: Locator, name: RegExp | string) => at.getByRole('textbox', { name })

interface Mapping {
  mappingDetails: {
    marcMappingOption?: string
    mappingFields: { path: string; repeatableFieldAction?: string; subfields: unknown[] }[]
    marcMappingDetails: { order: number; action: string; field: unknown }[]
  }
  marcFieldProtectionSettings: { field: string; override: boolean }[]
}

test('the rows of a list are filled, ordered, and say what becomes of what is there', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(240_000)
  const word = mark()
  const { locations } = await api.get<{ locations: { code: string; name: string }[] }>(
    '/locations?limit=1',
  )
  const place = locations[0]
  const make = (name: string, fill: (page: Page) => Promise<void>) =>
    setUp(staff, 'mapping-profiles', LIST, async () => {
      await named(staff, name)
      await pick(staff, /Kind of record/, 'Holdings')
      await fill(staff)
    })
  const note = async (number: number, value: string) => {
    const row = staff.getByRole('group', { name: `Notes, ${number}`, exact: true })
    await row.getByRole('button', { name: /Kind of note: from the list/ }).click()
    await staff.getByRole('option', { name: 'Note', exact: true }).click()
    await expect(text(row, /^Kind of note/)).toHaveValue('"Note"')
    await text(row, /^Note/).fill(value)
    await row.getByRole('button', { name: /staff only/ }).click()
    await staff.getByRole('option', { name: 'always yes' }).click()
  }
  await make(`${word} new`, async (page) => {
    await pick(page, /Add a field/, 'Permanent location')
    await page.getByRole('button', { name: /Permanent location: from the list/ }).click()
    await page.getByRole('option', { name: `${place?.name} (${place?.code})`, exact: true }).click()
    await pick(page, /Add a field/, 'Notes')
    await page.keyboard.press('Control+s')
    // A list without a filled row would change nothing.
    await expect(page.getByText('Fill in a row, or remove the field.')).toBeVisible()
    await note(1, '945$n')
    await page.getByRole('button', { name: 'Add to: Notes' }).click()
    await note(2, '"Second" 945$x; else "None"')
    await page.getByRole('button', { name: 'Add to: Notes' }).click()
    await note(3, '"gone"')
    await page.getByRole('button', { name: 'Remove: Notes, 3' }).click()
    await a11y('a list of a field mapping')
    // The second goes first, and the focus goes along.
    await page.getByRole('button', { name: 'Move up: Notes, 2' }).press('Enter')
    await expect(page.getByRole('button', { name: 'Move down: Notes, 1' })).toBeFocused()
  })
  const made = await stored<Mapping>(api, 'mapping', `${word} new`)
  const notes = made.mappingDetails.mappingFields.find(({ path }) => path === 'holdings.notes[]')
  expect(notes).toMatchObject({
    repeatableFieldAction: 'EXTEND_EXISTING',
    subfields: [{ order: 0 }, { order: 1, fields: [{}, { value: '945$n' }, {}] }],
  })
  const create = await makeAction(
    api,
    `${word} create`,
    'CREATE',
    'HOLDINGS',
    await idOf(api, 'mapping', `${word} new`),
  )
  const titles = await makeAction(
    api,
    `${word} titles`,
    'CREATE',
    'INSTANCE',
    await idOf(api, 'mapping', CREATE_TITLE),
  )
  await makeJob(api, `${word} job`, [titles, create])
  const title = `Weirs ${word}`
  const more = [
    ['035', `  $a(W)${word}`],
    ['945', '  $nOne$xmore'],
  ] as const
  await importFile(staff, `${word} job`, 'weirs.mrc', marc(1, title, more))
  const { id } = await titleOf<{ id: string }>(api, title)
  const shelf = async () => {
    const { holdingsRecords } = await api.get<{
      holdingsRecords: { notes: { note: string; staffOnly: boolean }[] }[]
    }>(`/holdings-storage/holdings?query=instanceId==${id}`)
    return holdingsRecords.map((one) => one.notes.map((note) => [note.note, note.staffOnly]))
  }
  expect(await shelf()).toEqual([
    [
      ['Secondmore', true],
      ['One', true],
    ],
  ])

  // Exchanged, what was there goes.
  await make(`${word} other`, async (page) => {
    await pick(page, /Add a field/, 'Notes')
    await pick(page, /Notes: what is there/, 'delete it, put these in its place')
    await note(1, '"Only this"')
  })
  const update = await makeAction(
    api,
    `${word} update`,
    'UPDATE',
    'HOLDINGS',
    await idOf(api, 'mapping', `${word} other`),
  )
  await setUp(staff, 'match-profiles', 'Match profiles', async () => {
    await named(staff, `${word} by number`)
    await pick(staff, /Record in the library/, 'MARC bibliographic')
    for (const group of ['What is looked for', 'Where it is looked for']) {
      const side = staff.getByRole('group', { name: group })
      await text(side, /^Field in the/).fill('035')
      await text(side, 'Subfield').fill('a')
    }
  })
  await setUp(staff, 'match-profiles', 'Match profiles', async () => {
    await named(staff, `${word} by place`)
    await pick(staff, /Record in the file/, 'A fixed value')
    await pick(staff, /Record in the library/, 'Holdings')
    await text(staff.getByRole('group', { name: 'A fixed value' }), /^Value/).fill(
      place?.code ?? '',
    )
    await text(staff.getByRole('group', { name: 'Where it is looked for' }), /^Field in/).fill(
      'holdings.permanentLocationId',
    )
    await a11y('a match by a fixed value')
  })
  const found = match(await idOf(api, 'match', `${word} by place`), [update])
  await makeJob(api, `${word} again`, [
    match(await idOf(api, 'match', `${word} by number`), [found]),
  ])
  await importFile(staff, `${word} again`, 'weirs.mrc', marc(2, title, more))
  expect(await shelf()).toEqual([[['Only this', true]]])

  // Read again, the profile is as it was; what is taken away is gone.
  await staff.goto(
    `/staff/settings?of=mapping-profiles&id=${await idOf(api, 'mapping', `${word} other`)}`,
  )
  const rule = staff.getByRole('group', { name: 'Notes', exact: true }).first()
  await expect(rule).toContainText('delete it, put these in its place')
  // Somebody else changes it meanwhile: both versions, line by line.
  const profile = await stored<Mapping & { id: string }>(api, 'mapping', `${word} other`)
  const [theirs] = profile.mappingDetails.mappingFields
  await api.put(`/data-import-profiles/mappingProfiles/${profile.id}`, {
    id: profile.id,
    profile: {
      ...profile,
      mappingDetails: {
        ...profile.mappingDetails,
        mappingFields: [{ ...theirs, repeatableFieldAction: 'DELETE_EXISTING', subfields: [] }],
      },
    },
  })
  await staff.getByRole('button', { name: 'Remove the field: Notes' }).click()
  await staff.keyboard.press('Control+s')
  const both = staff.getByRole('alert').filter({ hasText: 'Somebody else' })
  await expect(both).toContainText('holdings.notes[]: DELETE_EXISTING')
  await a11y('a field mapping that somebody else changed')
  await both.getByRole('button', { name: 'Save mine all the same' }).click()
  await expect(staff.getByRole('heading', { name: LIST, level: 1 })).toBeVisible()
  const left = await stored<Mapping>(api, 'mapping', `${word} other`)
  expect(left.mappingDetails.mappingFields).toEqual([])
})

test('MARC fields are added, edited, moved and deleted by an import', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(180_000)
  const word = mark()
  const change = (number: number) =>
    staff.getByRole('group', { name: `Change, ${number}`, exact: true })
  const begin = async (number: number, action: string, tag: string) => {
    await staff.getByRole('button', { name: 'Add a change' }).click()
    if (action !== 'Add a field') {
      await change(number)
        .getByRole('button', { name: /What is done/ })
        .click()
      await staff.getByRole('option', { name: action, exact: true }).click()
    }
    await text(change(number), /^MARC field/).fill(tag)
    return change(number)
  }
  await setUp(staff, 'mapping-profiles', LIST, async () => {
    await named(staff, `${word} changes`)
    await pick(staff, /Kind of record/, 'MARC bibliographic')
    await staff.keyboard.press('Control+s')
    await expect(staff.getByText('1 field is empty.')).toBeVisible()
    await pick(staff, /What happens with the MARC record/, 'It is changed field by field')
    const first = await begin(1, 'Add a field', '590')
    await text(first, 'Indicator 2').fill('9')
    await text(first, 'Subfield').fill('a')
    await text(first, 'Text').fill('Ours')
    await first.getByRole('button', { name: 'Add a subfield' }).click()
    const second = first.getByRole('group', { name: 'Subfield, 2' })
    await text(second, 'Subfield').fill('5')
    await text(second, 'Text').fill('OX')
    const edit = await begin(2, 'Edit', '500')
    await text(edit, 'Subfield').fill('a')
    await edit.getByRole('button', { name: /What becomes of it/ }).click()
    await staff.getByRole('option', { name: 'Replace text' }).click()
    await text(edit, 'Find').fill('old')
    await text(edit, 'Replace with').fill('new')
    await edit.getByRole('button', { name: 'Add a subfield' }).click()
    const other = edit.getByRole('group', { name: 'Subfield, 2' })
    await text(other, 'Subfield').fill('5')
    await other.getByRole('button', { name: /What becomes of it/ }).click()
    await staff.getByRole('option', { name: 'Add a subfield' }).click()
    await text(other, 'Text').fill('NEW')
    const move = await begin(3, 'Move', '690')
    await text(move, 'To MARC field').fill('650')
    await text(move, 'Its indicator 2').fill('4')
    const moved = move.getByRole('group', { name: 'Subfield, 1' })
    await text(moved, 'Subfield').fill('a')
    await text(moved, 'To subfield').fill('x')
    const drop = await begin(4, 'Delete', '')
    await staff.keyboard.press('Control+s')
    await expect(drop.getByText('Type three figures, such as 590.')).toBeVisible()
    await a11y('changes of MARC records')
    await text(drop, /^MARC field/).fill('900')
    const insert = await begin(5, 'Edit', '856')
    await text(insert, 'Subfield').fill('u')
    await text(insert, 'Text').fill('https://proxy.example.org/?')
  })
  const { mappingDetails } = await stored<Mapping>(api, 'mapping', `${word} changes`)
  expect(mappingDetails.marcMappingOption).toBe('MODIFY')
  expect(mappingDetails.marcMappingDetails.map(({ order, action }) => [order, action])).toEqual([
    [0, 'ADD'],
    [1, 'EDIT'],
    [2, 'MOVE'],
    [3, 'DELETE'],
    [4, 'EDIT'],
  ])
  const modify = await makeAction(
    api,
    `${word} modify`,
    'MODIFY',
    'MARC_BIBLIOGRAPHIC',
    await idOf(api, 'mapping', `${word} changes`),
  )
  const create = await makeAction(
    api,
    `${word} create`,
    'CREATE',
    'INSTANCE',
    await idOf(api, 'mapping', CREATE_TITLE),
  )
  await makeJob(api, `${word} job`, [modify, create])
  const title = `Locks ${word}`
  const more = [
    ['500', '  $aAn old old note'],
    ['690', '  $aWater$zSpain'],
    ['856', '40$uhttps://example.org'],
    ['900', '  $ax'],
  ] as const
  await importFile(staff, `${word} job`, 'locks.mrc', marc(3, title, more))
  const { id } = await titleOf<{ id: string }>(api, title)
  expect((await fieldsOf(api, id)).filter((one) => !/^(035|040)/.test(one))).toEqual([
    `245 10$a${title}`,
    '500   $aAn new new note$5NEW',
    '590  9$aOurs$5OX',
    '650  4$xWater',
    '690   $zSpain',
    '856 40$uhttps://proxy.example.org/?https://example.org',
  ])
})

test('an update takes over the named fields, and a protected one that it may', async ({
  staff,
  api,
  a11y,
}) => {
  test.setTimeout(180_000)
  const word = mark()
  const tag = `9${10 + (Date.now() % 80)}`
  const title = `Mills ${word}`
  await api.post('/field-protection-settings/marc', {
    field: tag,
    indicator1: '*',
    indicator2: '*',
    subfield: '*',
    data: '*',
    source: 'USER',
  })
  const { id } = await importTitle(staff, api, title, [
    ['035', `  $a(MILL)no. ${Number.parseInt(word, 16)}`],
    ['500', '  $aFirst'],
    ['520', '  $aFirst'],
    [tag, '  $aFirst'],
  ])
  const profile = async (name: string, overrides: boolean) =>
    setUp(staff, 'mapping-profiles', LIST, async () => {
      await named(staff, name)
      await pick(staff, /Kind of record/, 'MARC bibliographic')
      await pick(
        staff,
        /What happens with the MARC record/,
        'It is overlaid with the one of the file',
      )
      for (const [number, field] of [
        [1, '500'],
        [2, tag],
      ] as const) {
        await staff.getByRole('button', { name: 'Add a MARC field' }).click()
        const one = staff.getByRole('group', { name: `MARC field, ${number}`, exact: true })
        await text(one, /^MARC field/).fill(field)
      }
      if (!overrides) return
      await staff.getByRole('checkbox', { name: tag }).check()
      await a11y('fields of an update')
    })
  await profile(`${word} keeps`, false)
  await profile(`${word} overlays`, true)
  // Digits of a number that begins with the prefix, on both sides.
  await setUp(staff, 'match-profiles', 'Match profiles', async () => {
    await named(staff, `${word} digits`)
    await pick(staff, /Record in the library/, 'MARC bibliographic')
    for (const group of ['What is looked for', 'Where it is looked for']) {
      const side = staff.getByRole('group', { name: group })
      await text(side, /^Field in the/).fill('035')
      await text(side, 'Subfield').fill('a')
      await side.getByRole('button', { name: /Only values/ }).click()
      await staff.getByRole('option', { name: 'that begin with' }).click()
      await text(side, /^This text/).fill('(MILL)')
      await side.getByRole('button', { name: /Only a part/ }).click()
      await staff.getByRole('option', { name: 'digits', exact: true }).click()
    }
    await a11y('a match by a part of a value')
  })
  const job = async (name: string) => {
    const mapping = await idOf(api, 'mapping', `${word} ${name}`)
    const update = await makeAction(api, `${word} ${name}`, 'UPDATE', 'MARC_BIBLIOGRAPHIC', mapping)
    await makeJob(api, `${word} ${name}`, [
      match(await idOf(api, 'match', `${word} digits`), [update]),
    ])
    await importFile(
      staff,
      `${word} ${name}`,
      'mills.mrc',
      marc(9, 'Other', [
        ['035', `  $a(MILL)${Number.parseInt(word, 16)}`],
        ['500', `  $aSecond, ${name}`],
        ['520', '  $aSecond'],
        [tag, `  $aSecond, ${name}`],
      ]),
    )
    return (await fieldsOf(api, id)).filter((one) => !/^(035|040)/.test(one))
  }
  const kept = await job('keeps')
  expect(kept).toEqual([
    `245 10$a${title}`,
    '500   $aSecond, keeps',
    '520   $aFirst',
    // Protected: it stays, and what comes stands beside it.
    ...kept.filter((one) => one.startsWith(tag)),
  ])
  expect(kept).toContain(`${tag}   $aFirst`)
  expect(await job('overlays')).toEqual([
    `245 10$a${title}`,
    '500   $aSecond, overlays',
    '520   $aFirst',
    `${tag}   $aSecond, overlays`,
  ])
})
