// How profiles are read and written: FOLIO wraps a profile in the associations that come and go with it.
import { get } from '#/api/client'
import type { Wire } from '../kinds'
import type { Values } from '../paths'
import { cleanedChanges, type MarcChange } from './marcChanges'
import { detailsOf, matchForm } from './matchDetails'
import { cleaned, complete, isForeign, type Rule } from './rules'
import { edgesOf, type Node, nodesOf, relationsOf, type Wrapper } from './tree'

const ROOT = '/data-import-profiles'

/** Without what the server adds, and what only the form has. */
const plainOf = (record: Values): Values => {
  const { userInfo: _u, childProfiles: _c, parentProfiles: _p, metadata: _m, ...rest } = record
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('$')))
}

const wrapped = (
  profile: Values,
  addedRelations: readonly Values[] = [],
  deletedRelations: readonly Values[] = [],
): Values => ({ id: profile.id, profile, addedRelations, deletedRelations })

async function treeOf(type: string, id: string): Promise<Wrapper> {
  const query =
    type === 'JOB_PROFILE' ? { profileType: type, jobProfileId: id } : { profileType: type }
  return get<Wrapper>(`${ROOT}/profileSnapshots/${id}`, query)
}

export const JOB: Wire = {
  read: async (id) => {
    const [profile, tree] = await Promise.all([
      get<Values>(`${ROOT}/jobProfiles/${id}`),
      treeOf('JOB_PROFILE', id),
    ])
    return { ...plainOf(profile), $tree: nodesOf(tree), $edges: edgesOf(tree) }
  },
  body: (record, stored) =>
    wrapped(
      plainOf(record),
      relationsOf(String(record.id), (record.$tree ?? []) as readonly Node[]),
      (stored?.$edges ?? []) as readonly Values[],
    ),
}

export const MATCH: Wire = {
  read: async (id) => matchForm(plainOf(await get<Values>(`${ROOT}/matchProfiles/${id}`))),
  body: (record) => wrapped({ ...plainOf(record), matchDetails: detailsOf(record) }),
}

const mappingOf = (actionId: unknown, mappingId: unknown): Values[] =>
  mappingId
    ? [
        {
          masterProfileId: actionId,
          masterProfileType: 'ACTION_PROFILE',
          detailProfileId: mappingId,
          detailProfileType: 'MAPPING_PROFILE',
          order: 0,
        },
      ]
    : []

export const ACTION: Wire = {
  read: async (id) => {
    const [profile, tree] = await Promise.all([
      get<Values>(`${ROOT}/actionProfiles/${id}`),
      treeOf('ACTION_PROFILE', id),
    ])
    const mapping = tree.childSnapshotWrappers?.find((one) => one.contentType === 'MAPPING_PROFILE')
    return { ...plainOf(profile), $mapping: mapping?.profileId }
  },
  body: (record, stored) => {
    const isSame = record.$mapping === stored?.$mapping
    return wrapped(
      plainOf(record),
      isSame ? [] : mappingOf(record.id, record.$mapping),
      isSame ? [] : mappingOf(record.id, stored?.$mapping),
    )
  },
}

export const MAPPING: Wire = {
  read: async (id) => {
    const profile = plainOf(await get<Values>(`${ROOT}/mappingProfiles/${id}`))
    const details = (profile.mappingDetails ?? {}) as Values
    const rules = (details.mappingFields ?? []) as readonly Rule[]
    const mappingFields = complete(profile.existingRecordType, rules)
    return { ...profile, mappingDetails: { ...details, mappingFields } }
  },
  body: (record) => {
    const type = String(record.existingRecordType ?? '')
    const isMarc = type.startsWith('MARC')
    const { marcMappingOption, ...details } = (record.mappingDetails ?? {}) as Values
    const rules = (details.mappingFields ?? []) as readonly Rule[]
    const changes = (details.marcMappingDetails ?? []) as readonly MarcChange[]
    return wrapped({
      ...plainOf(record),
      mappingDetails: {
        ...details,
        name: type.toLowerCase(),
        recordType: type,
        ...(isMarc ? { marcMappingOption } : {}),
        marcMappingDetails: isMarc ? cleanedChanges(changes, marcMappingOption === 'UPDATE') : [],
        // What was typed for another kind of record, which was chosen before.
        mappingFields: rules.filter((rule) => !isForeign(type, rule)).map(cleaned),
      },
    })
  },
}
