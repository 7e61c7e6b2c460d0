// The profiles of imports: a match, a field mapping, actions and the job's tree are made in the settings; the job then
// does what they say.
import type { Page } from '@playwright/test'
import { type Api, expect, test } from './fixtures'
import { marc } from './marc21'

const ROOT = '/data-import-profiles'

async function make(staff: Page, of: string, name: string) {
  await staff.goto(`/staff/settings?of=${of}&id=new`)
  await staff.getByRole('textbox', { name: /^Name/ }).fill(name)
}

async function choose(staff: Page, field: RegExp, option: string) {
  await staff.getByRole('button', { name: field }).click()
  await staff.getByRole('option', { name: option, exact: true }).click()
}

async function save(staff: Page, list: string) {
  await staff.keyboard.press('Control+s')
  await expect(staff.getByRole('heading', { name: list, level: 1 })).toBeVisible()
}

const treeOf = (api: Api, id: string) =>
  api.get<{ childSnapshotWrappers: Wrapper[] }>(
    `${ROOT}/profileSnapshots/${id}?profileType=JOB_PROFILE&jobProfileId=${id}`,
  )

interface Wrapper {
  contentType: string
  reactTo?: string
  content: { name: string }
  childSnapshotWrappers: Wrapper[]
}

const outline = (nodes: readonly Wrapper[], depth = 0): string[] =>
  nodes.flatMap((one) => [
    `${depth} ${one.reactTo ?? '-'} ${one.content.name}`,
    ...outline(one.childSnapshotWrappers ?? [], depth + 1),
  ])

test('a job is made of its profiles, and its tree is changed', async ({ staff, api, a11y }) => {
  const word = `zz ${Date.now()}`
  const names = {
    match: `${word} match`,
    mapping: `${word} mapping`,
    create: `${word} create`,
    update: `${word} update`,
    job: `${word} job`,
  }
  await make(staff, 'match-profiles', names.match)
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('2 fields are empty.')).toBeVisible()
  await staff.getByRole('textbox', { name: /^Field in the file/ }).fill('001')
  await staff.getByRole('textbox', { name: /^Field in the library/ }).fill('instance.hrid')
  await a11y('a match profile')
  await save(staff, 'Match profiles')

  await make(staff, 'mapping-profiles', names.mapping)
  await choose(staff, /Add a field/, 'Hidden from staff')
  await choose(staff, /^None Hidden from staff/, 'always yes')
  await a11y('a mapping profile')
  await save(staff, 'Field mapping profiles')

  for (const act of ['create', 'update'] as const) {
    await make(staff, 'action-profiles', names[act])
    if (act === 'update') await choose(staff, /What is done/, 'Update')
    await choose(staff, /Field mapping profile/, names.mapping)
    await save(staff, 'Action profiles')
  }

  await make(staff, 'job-profiles', names.job)
  await staff.keyboard.press('Control+s')
  await expect(staff.getByText('Add an action, or a match with actions.')).toBeVisible()
  const tree = staff.getByRole('region', { name: 'What is done with each record' })
  await choose(staff, /Add a match/, names.match)
  const found = tree.getByRole('region', { name: `${names.match}: found`, exact: true })
  const none = tree.getByRole('region', { name: `${names.match}: not found` })
  const addAction = async (branch: typeof found, name: string) => {
    await branch.getByRole('button', { name: /Add an action/ }).click()
    await staff.getByRole('option', { name, exact: true }).click()
    await expect(branch.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
  }
  await addAction(found, names.update)
  await addAction(none, names.create)
  await a11y('a job profile')
  await save(staff, 'Job profiles')
  const { jobProfiles } = await api.get<{ jobProfiles: { id: string }[] }>(
    `${ROOT}/jobProfiles?query=${encodeURIComponent(`name=="${names.job}"`)}`,
  )
  const id = jobProfiles[0]?.id ?? ''
  expect(outline((await treeOf(api, id)).childSnapshotWrappers)).toEqual([
    `0 - ${names.match}`,
    `1 MATCH ${names.update}`,
    `2 - ${names.mapping}`,
    `1 NON_MATCH ${names.create}`,
    `2 - ${names.mapping}`,
  ])

  // Read again, the tree is the same; without its first branch it is saved anew.
  await staff.getByLabel('Filter this list').fill(names.job)
  await staff.getByRole('link', { name: names.job }).click()
  await found.getByRole('button', { name: `Remove ${names.update}` }).click()
  await save(staff, 'Job profiles')
  expect(outline((await treeOf(api, id)).childSnapshotWrappers)).toEqual([
    `0 - ${names.match}`,
    `1 NON_MATCH ${names.create}`,
    `2 - ${names.mapping}`,
  ])

  // The job does what its profiles say: nothing is found, so a title is made, suppressed for staff.
  const title = `Profiled ${word}`
  await staff.goto('/staff/data')
  await staff.getByLabel(/Drop a file here/).setInputFiles({
    name: 'profiled.mrc',
    mimeType: 'application/marc',
    buffer: Buffer.from(marc(7, title)),
  })
  const form = staff.getByRole('region', { name: 'Import a file' })
  await form.getByRole('button', { name: /Job profile/ }).click()
  await staff.getByRole('option', { name: names.job }).click()
  await form.getByRole('button', { name: 'Import', exact: true }).click()
  const progress = staff.getByRole('region', { name: 'Progress' })
  await expect(progress).toContainText('Created1', { timeout: 60_000 })
  const { instances } = await api.get<{ instances: { staffSuppress?: boolean }[] }>(
    `/instance-storage/instances?query=${encodeURIComponent(`title=="${title}"`)}`,
  )
  expect(instances).toMatchObject([{ staffSuppress: true }])
})

test('only acts are offered that imports carry out', async ({ staff, a11y }) => {
  await make(staff, 'action-profiles', 'x')
  const record = staff.getByRole('button', { name: /Kind of record/ })
  const offered = async () => {
    await record.click()
    const options = await staff.getByRole('option').allTextContents()
    await staff.keyboard.press('Escape')
    return options
  }
  expect(await offered()).not.toContain('MARC bibliographic')
  await choose(staff, /What is done/, 'Delete')
  const kinds = await offered()
  expect(kinds).toHaveLength(1)
  // Nothing is filled in what goes.
  await expect(staff.getByRole('button', { name: /Field mapping profile/ })).toBeHidden()
  await choose(staff, /What is done/, 'Modify the MARC record')
  expect(await offered()).toHaveLength(1)
  expect(await offered()).not.toEqual(kinds)
  await a11y('an action that changes MARC')
})

test('comparisons that the import refuses are shown, and can be taken away', async ({
  staff,
  api,
  a11y,
}) => {
  const name = `zz ${Date.now()} twofold`
  const types = { incomingRecordType: 'MARC_BIBLIOGRAPHIC', existingRecordType: 'INSTANCE' }
  const comparing = (field: string, existing: string) => ({
    ...types,
    matchCriterion: 'EXACTLY_MATCHES',
    incomingMatchExpression: {
      dataValueType: 'VALUE_FROM_RECORD',
      fields: [
        { label: 'field', value: field },
        { label: 'indicator1', value: '' },
        { label: 'indicator2', value: '' },
        { label: 'recordSubfield', value: 'a' },
      ],
    },
    existingMatchExpression: {
      dataValueType: 'VALUE_FROM_RECORD',
      fields: [{ label: 'field', value: existing }],
    },
  })
  const first = comparing('001', 'instance.hrid')
  const { id } = await api.post<{ id: string }>(`${ROOT}/matchProfiles`, {
    profile: { name, ...types, matchDetails: [first, comparing('035', 'instance.title')] },
  })
  await staff.goto(`/staff/settings?of=match-profiles&id=${id}`)
  const more = staff.getByRole('group', { name: 'Further comparisons', exact: true })
  await expect(more).toContainText('The import refuses a profile that compares several things')
  const row = more.getByRole('group', { name: /^Further comparisons.*1/ })
  const looked = row.getByRole('textbox', { name: /^Field in the file/ })
  await expect(looked).toHaveValue('035')
  await expect(row.getByRole('textbox', { name: /^Field in the library/ })).toHaveValue(
    'instance.title',
  )
  await a11y('a further comparison')
  const details = async () =>
    (await api.get<{ matchDetails: unknown[] }>(`${ROOT}/matchProfiles/${id}`)).matchDetails
  await looked.fill('024')
  await save(staff, 'Match profiles')
  expect(await details()).toMatchObject([
    first,
    { incomingMatchExpression: { fields: [{ value: '024' }, {}, {}, { value: 'a' }] } },
  ])
  await staff.goto(`/staff/settings?of=match-profiles&id=${id}`)
  await more.getByRole('button', { name: /^Remove/ }).press('Enter')
  await expect(more).toHaveCount(0)
  await save(staff, 'Match profiles')
  expect(await details()).toMatchObject([first])
  expect(await details()).toHaveLength(1)
})
