// Profiles of imports by the server's API, where a test is about one of them only, and imports by the page.
import type { Page } from '@playwright/test'
import { type Node, relationsOf } from '../src/settings/imports/tree'
import { type Api, expect } from './fixtures'
import { marc } from './marc21'

const ROOT = '/data-import-profiles'

export async function idOf(api: Api, kind: string, name: string): Promise<string> {
  const query = encodeURIComponent(`name=="${name}"`)
  const found = await api.get<Record<string, { id: string }[]>>(
    `${ROOT}/${kind}Profiles?query=${query}`,
  )
  const [one] = found[`${kind}Profiles`] ?? []
  if (!one) throw new Error(`no ${kind} profile ${name}`)
  return one.id
}

/** The profile as it is stored. */
export const stored = async <T>(api: Api, kind: string, name: string) =>
  api.get<T>(`${ROOT}/${kind}Profiles/${await idOf(api, kind, name)}`)

/** An action that follows a mapping profile. */
export async function makeAction(
  api: Api,
  name: string,
  action: string,
  folioRecord: string,
  mappingId: string,
): Promise<Node> {
  const relation = {
    masterProfileType: 'ACTION_PROFILE',
    detailProfileType: 'MAPPING_PROFILE',
    detailProfileId: mappingId,
    order: 0,
  }
  const { id } = await api.post<{ id: string }>(`${ROOT}/actionProfiles`, {
    profile: { name, action, folioRecord },
    addedRelations: [relation],
  })
  return { kind: 'ACTION', profileId: id, found: [], none: [] }
}

export const match = (profileId: string, found: Node[], none: Node[] = []): Node => ({
  kind: 'MATCH',
  profileId,
  found,
  none,
})

export async function makeJob(api: Api, name: string, tree: Node[], dataType = 'MARC') {
  const id = crypto.randomUUID()
  await api.post(`${ROOT}/jobProfiles`, {
    id,
    profile: { id, name, dataType },
    addedRelations: relationsOf(id, tree),
  })
}

/** The mapping that makes titles as the library's rules say. */
export const CREATE_TITLE = 'Default - Create instance'

export async function importFile(staff: Page, job: string, name: string, text: string) {
  await staff.goto('/staff/data')
  await staff.getByLabel(/Drop a file here/).setInputFiles({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(text),
  })
  const form = staff.getByRole('region', { name: 'Import a file' })
  await form.getByRole('button', { name: /Job profile/ }).click()
  await staff.getByRole('option', { name: job, exact: true }).click()
  await form.getByRole('button', { name: 'Import', exact: true }).click()
  const progress = staff.getByRole('region', { name: 'Progress' })
  await expect(progress.getByRole('status')).toContainText(/^Done/, { timeout: 60_000 })
  return progress
}

/** The fields of a title's MARC record, "590  9 $aOurs", without those that the server writes by itself. */
export async function fieldsOf(api: Api, instanceId: string): Promise<string[]> {
  type Field = Record<string, string | { ind1: string; ind2: string; subfields: Part[] }>
  type Part = Record<string, string>
  const { parsedRecord } = await api.get<{
    parsedRecord: { content: { fields: Field[] } }
  }>(`/source-storage/records/${instanceId}/formatted?idType=INSTANCE`)
  return parsedRecord.content.fields.flatMap((field) =>
    Object.entries(field).flatMap(([tag, value]) => {
      if (['001', '005', '008', '999'].includes(tag)) return []
      if (typeof value === 'string') return [`${tag} ${value}`]
      const parts = value.subfields.flatMap((one) =>
        Object.entries(one).map(([code, text]) => `$${code}${text}`),
      )
      return [`${tag} ${value.ind1}${value.ind2}${parts.join('')}`]
    }),
  )
}

export async function titleOf<T extends { id: string }>(api: Api, title: string): Promise<T> {
  const query = encodeURIComponent(`title=="${title}"`)
  const { instances } = await api.get<{ instances: T[] }>(
    `/instance-storage/instances?query=${query}`,
  )
  const [one, ...others] = instances
  if (!one || others.length) throw new Error(`${instances.length} titles ${title}`)
  return one
}

/** A title by an import of its own, with the fields that a test needs. */
export async function importTitle(
  staff: Page,
  api: Api,
  title: string,
  more: readonly (readonly [string, string])[],
) {
  const job = 'Default - Create instance and SRS MARC Bib'
  await importFile(staff, job, 'before.mrc', marc(1, title, more))
  return await titleOf<{ id: string }>(api, title)
}
