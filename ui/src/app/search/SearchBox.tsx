// One box on every page: a barcode, a person, words of a title, or the name of a place or act.
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { useText } from '#/i18n/text'
import { registry } from '#/keys/registry'
import { Icon } from '#/ui/Icon'
import { Key } from '#/ui/Key'
import shell from '../Shell.module.css'
import { setSearchBox } from './focus'
import { HitList } from './HitList'
import type { Hit } from './hits'
import styles from './Search.module.css'
import { useHits } from './useHits'

export function SearchBox() {
  const t = useText()
  const id = useId()
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const { hits, busy } = useHits(open ? text : '')
  const go = useGo()
  const current = Math.min(at, hits.length - 1)
  const choose = (hit: Hit | undefined) => {
    if (!hit || hit.disabled) return
    setOpen(false)
    setText('')
    ;(document.activeElement as HTMLElement | null)?.blur()
    go(hit)
  }
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && hits.length) {
      setOpen(true)
      setAt((current + step + hits.length) % hits.length)
    } else if (event.key === 'Enter') {
      choose(hits[current])
    } else if (event.key === 'Escape') {
      setText('')
      setOpen(false)
      ;(event.target as HTMLElement).blur()
    } else {
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <search
      className={styles.place}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <div className={shell.find}>
        <Icon name="search" />
        <input
          ref={setSearchBox}
          type="text"
          role="combobox"
          aria-expanded={open && hits.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={open && hits[current] ? `${id}-${current}` : undefined}
          aria-label={t('shell.searchLong')}
          placeholder={t('shell.searchShort')}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onFocus={() => setOpen(true)}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
            setOpen(true)
          }}
          onKeyDown={keys}
        />
        <Key combo="Mod+K" />
      </div>
      {open ? (
        <HitList
          id={id}
          hits={hits}
          current={current}
          busy={busy && text.trim().length > 1}
          onChoose={choose}
        />
      ) : null}
    </search>
  )
}

function useGo() {
  const navigate = useNavigate()
  return ({ target }: Hit) => {
    if (target.kind === 'command') registry.find(target.id)?.run()
    if (target.kind === 'instance' && target.item) {
      const params = { instanceId: target.id, itemId: target.item }
      navigate({ to: '/inventory/$instanceId/items/$itemId', params })
    } else if (target.kind === 'instance')
      navigate({ to: '/inventory/$instanceId', params: { instanceId: target.id }, search: {} })
    if (target.kind === 'inventory') navigate({ to: '/inventory', search: { q: target.words } })
    if (target.kind === 'authorities') navigate({ to: '/authorities', search: { q: target.words } })
    if (target.kind === 'patron') navigate({ to: '/check-out', search: { patron: target.barcode } })
  }
}
