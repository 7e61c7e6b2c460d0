// What is looked up for a field, in a card below it: the authority of a heading, the location of holdings.
import { type ReactNode, useState } from 'react'
import { useText } from '#/i18n/text'
import { usePermission } from '#/inventory/usePermission'
import { ChooseAuthority } from '#/marc/ChooseAuthority'
import { ChooseLocation } from '#/marc/ChooseLocation'
import type { LookUp } from '#/marc/MarcLine'
import { changed, withSubfield } from '#/marc/model'
import type { Line, MarcRecord } from '#/marc/types'
import type { Draft } from '#/marc/useEditor'
import { useLinking } from './useLinking'

export interface LineCards {
  /** The codes of a linked field that come from its authority. */
  codesOf: (line: Line) => ReadonlySet<string> | undefined
  lookUpOf: (line: Line) => LookUp | undefined
  cardOf: (line: Line) => ReactNode
  /** Why nothing may be looked up. */
  reason: string | undefined
}

/** `back` gives the focus to a line: a card is closed, or a choice was made. */
export function useLineCards(
  record: MarcRecord,
  draft: Draft,
  change: (what: string, next: (draft: Draft) => Draft) => void,
  back: (key: string) => void,
): LineCards {
  const t = useText()
  const [chosen, setChosen] = useState<string>()
  const isTitle = record.marcFormat === 'BIBLIOGRAPHIC'
  const linking = useLinking(record, draft, change, isTitle)
  const maySee = usePermission('inventory-storage.locations.collection.get')
  const reason = isTitle ? linking.reason : maySee.reason
  const close = (line: Line) => {
    back(line.key)
    setChosen(undefined)
  }
  const canPlace = ({ tag }: Line) => record.marcFormat === 'HOLDINGS' && tag === '852'
  const place = (line: Line, code: string) => {
    const text = typeof line.content === 'string' ? line.content : ''
    change('place', (now) => ({
      ...now,
      lines: changed(now.lines, line.key, { content: withSubfield(text, 'b', code) }),
    }))
    close(line)
  }
  return {
    reason,
    codesOf: linking.codesOf,
    lookUpOf: (line) => {
      const open = () => {
        linking.forget()
        setChosen(line.key)
      }
      if (canPlace(line))
        return { icon: 'map-pin', text: t('inventory.chooseLocation'), disabled: reason, open }
      if (!isTitle || line.linkDetails?.authorityId || !linking.canLink(line)) return undefined
      const text = t('inventory.linkField', { tag: line.tag })
      return { icon: 'link', text, disabled: reason, open }
    },
    cardOf: (line) => {
      if (chosen !== line.key) return null
      if (canPlace(line))
        return (
          <ChooseLocation
            line={line}
            onChoose={(code) => place(line, code)}
            onClose={() => close(line)}
          />
        )
      return (
        <ChooseAuthority
          line={line}
          rules={linking.rules}
          failure={linking.failure}
          busy={linking.busy}
          onChoose={async (authority) => {
            if (await linking.link(line, authority)) close(line)
          }}
          onClose={() => close(line)}
        />
      )
    },
  }
}
