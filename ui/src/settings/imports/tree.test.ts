import { expect, test } from 'vitest'
import { edgesOf, type Node, nodesOf, relationsOf, type Wrapper } from './tree'

const wrapper: Wrapper = {
  profileId: 'job',
  profileWrapperId: 'w0',
  contentType: 'JOB_PROFILE',
  childSnapshotWrappers: [
    {
      profileId: 'isbn',
      profileWrapperId: 'w1',
      contentType: 'MATCH_PROFILE',
      order: 0,
      childSnapshotWrappers: [
        {
          profileId: 'update',
          profileWrapperId: 'w2',
          contentType: 'ACTION_PROFILE',
          reactTo: 'MATCH',
          order: 0,
          childSnapshotWrappers: [
            { profileId: 'map', profileWrapperId: 'w3', contentType: 'MAPPING_PROFILE' },
          ],
        },
        {
          profileId: 'create',
          profileWrapperId: 'w4',
          contentType: 'ACTION_PROFILE',
          reactTo: 'NON_MATCH',
          order: 0,
        },
      ],
    },
  ],
}
const action = (profileId: string): Node => ({ kind: 'ACTION', profileId, found: [], none: [] })
const nodes: Node[] = [
  { kind: 'MATCH', profileId: 'isbn', found: [action('update')], none: [action('create')] },
]

test('a snapshot is read as matches and actions; the mapping belongs to its action', () => {
  expect(nodesOf(wrapper)).toEqual(nodes)
})

test('a tree is written as associations, each before those below it', () => {
  expect(relationsOf('job', nodes)).toEqual([
    {
      masterProfileId: 'job',
      masterProfileType: 'JOB_PROFILE',
      detailProfileId: 'isbn',
      detailProfileType: 'MATCH_PROFILE',
      order: 0,
    },
    expect.objectContaining({
      masterProfileId: 'isbn',
      detailProfileId: 'update',
      reactTo: 'MATCH',
    }),
    expect.objectContaining({
      masterProfileId: 'isbn',
      detailProfileId: 'create',
      reactTo: 'NON_MATCH',
      jobProfileId: 'job',
    }),
  ])
})

test('what is there is named by its places', () => {
  expect(edgesOf(wrapper).map((one) => [one.masterWrapperId, one.detailWrapperId])).toEqual([
    ['w0', 'w1'],
    ['w1', 'w2'],
    ['w1', 'w4'],
  ])
})
