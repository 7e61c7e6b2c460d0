// A field of a title is linked to an authority that somebody chooses.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Failure, failureOf } from '#/api/errors'
import { announce } from '#/app/live'
import { useText } from '#/i18n/text'
import { usePermission } from '#/inventory/usePermission'
import { type Authority, controlledBy, linked, type Rule, rulesQuery } from '#/marc/linking'
import { changed } from '#/marc/model'
import type { Line, MarcRecord } from '#/marc/types'
import type { Draft } from '#/marc/useEditor'

const NONE: readonly Rule[] = []

export function useLinking(
  record: MarcRecord,
  draft: Draft,
  change: (what: string, next: (draft: Draft) => Draft) => void,
  isTitle: boolean,
) {
  const t = useText()
  const maySuggest = usePermission('marc-records-editor.links.suggestion.post')
  const mayFind = usePermission('search.authorities.collection.get')
  const mayRead = usePermission('instance-authority.linking-rules.collection.get')
  const { data: rules = NONE } = useQuery({ ...rulesQuery, enabled: isTitle && mayRead.allowed })
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | 'unfit'>()
  /** Whether it is linked. */
  const link = async (line: Line, authority: Authority): Promise<boolean> => {
    setBusy(true)
    setFailure(undefined)
    try {
      const { key, ...field } = line
      const answer = await linked(record, draft.leader, field, authority.id)
      if (!answer) {
        setFailure('unfit')
        return false
      }
      change('link', (now) => ({
        ...now,
        lines: changed(now.lines, key, {
          content: answer.content,
          linkDetails: answer.linkDetails,
        }),
      }))
      announce(t('inventory.linkedTo', { tag: line.tag, name: authority.headingRef }))
      return true
    } catch (error) {
      setFailure(failureOf(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return {
    rules,
    busy,
    failure,
    forget: () => setFailure(undefined),
    link,
    reason: maySuggest.reason ?? mayFind.reason,
    canLink: ({ tag, content }: Line) =>
      typeof content === 'string' && rules.some(({ bibField }) => bibField === tag),
    codesOf: ({ linkDetails }: Line) =>
      linkDetails?.authorityId
        ? controlledBy(rules.find(({ id }) => id === linkDetails.linkingRuleId))
        : undefined,
  }
}
