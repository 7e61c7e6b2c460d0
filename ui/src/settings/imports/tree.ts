// The tree of a job profile: matches, and actions where something was found or nothing was; FOLIO keeps it as
// associations between profiles.
import type { Values } from '../paths'

export interface Node {
  kind: 'MATCH' | 'ACTION'
  profileId: string
  /** Below a match: where a record was found, and where none was. */
  found: readonly Node[]
  none: readonly Node[]
}

/** FOLIO's snapshot of a profile with all below it. */
export interface Wrapper {
  profileId: string
  profileWrapperId?: string
  contentType: string
  reactTo?: string
  order?: number
  childSnapshotWrappers?: readonly Wrapper[]
}

const shown = ({ contentType }: Wrapper) =>
  contentType === 'MATCH_PROFILE' || contentType === 'ACTION_PROFILE'

export function nodesOf({ childSnapshotWrappers = [] }: Wrapper): Node[] {
  return childSnapshotWrappers.filter(shown).map((child) => {
    const isMatch = child.contentType === 'MATCH_PROFILE'
    const reacting = (to: string) => ({
      ...child,
      childSnapshotWrappers: child.childSnapshotWrappers?.filter((one) => one.reactTo === to),
    })
    return {
      kind: isMatch ? 'MATCH' : 'ACTION',
      profileId: child.profileId,
      found: isMatch ? nodesOf(reacting('MATCH')) : [],
      none: isMatch ? nodesOf(reacting('NON_MATCH')) : [],
    }
  })
}

/** The associations that are there, to be taken away when the tree is written anew. */
export function edgesOf(above: Wrapper): Values[] {
  return (above.childSnapshotWrappers ?? []).filter(shown).flatMap((child) => [
    {
      masterProfileId: above.profileId,
      masterProfileType: above.contentType,
      masterWrapperId: above.profileWrapperId,
      detailProfileId: child.profileId,
      detailProfileType: child.contentType,
      detailWrapperId: child.profileWrapperId,
      order: child.order ?? 0,
      ...(child.reactTo ? { reactTo: child.reactTo } : {}),
    },
    ...edgesOf(child),
  ])
}

/** The associations of a tree, each before those below it. */
export function relationsOf(
  jobId: string,
  nodes: readonly Node[],
  above = { kind: 'JOB', profileId: jobId },
  reactTo?: string,
): Values[] {
  return nodes.flatMap((node, order) => [
    {
      masterProfileId: above.profileId,
      masterProfileType: `${above.kind}_PROFILE`,
      detailProfileId: node.profileId,
      detailProfileType: `${node.kind}_PROFILE`,
      order,
      ...(reactTo ? { reactTo, jobProfileId: jobId } : {}),
    },
    ...relationsOf(jobId, node.found, node, 'MATCH'),
    ...relationsOf(jobId, node.none, node, 'NON_MATCH'),
  ])
}
