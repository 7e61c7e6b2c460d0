// The queue of an item or title. Space or Enter on a grip lifts a request, arrows move it, Enter drops it, Esc puts it
// back; or it is dragged. The whole queue is sent; the server refuses what has changed meanwhile.
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { queryClient, useLoaded } from '#/api/query'
import { announce } from '#/app/live'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { useNeeds } from '#/lib/permissions'
import { moved } from '#/requests/move'
import { type QueueOf, queueQuery, reorder } from '#/requests/queries'
import type { Request } from '#/requests/types'
import { isBegun } from '#/requests/words'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { Note } from '#/ui/Note'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { QueuePart } from './QueuePart'

const ofWord = (word: string): QueueOf => (word === 'item' ? 'item' : 'instance')

export async function loader({ params }: { params: { of: string; id: string } }) {
  await Promise.all([
    loadTexts('lists', 'forms', 'request'),
    queryClient.ensureQueryData(queueQuery(ofWord(params.of), params.id)),
  ])
}

export function QueuePage() {
  const t = useText()
  const { number } = useFormats()
  const client = useQueryClient()
  const { of: word, id } = useParams({ from: '/shell/requests/queue/$of/$id' })
  const of = ofWord(word)
  const stored = useLoaded(queueQuery(of, id))
  const may = useNeeds(`circulation.requests.queue.${of}-reorder.collection.post`)
  const mayAdd = useNeeds('circulation.requests.item.post')
  const navigate = useNavigate()
  const add = () => {
    const search = of === 'item' ? { item: stored[0]?.item?.barcode } : { instance: id }
    void navigate({ to: '/requests/new', search })
  }
  useCommands([
    {
      id: 'requests.new',
      title: 'request.new',
      group: 'page',
      keys: 'Alt+N',
      disabled: mayAdd.reason,
      run: add,
    },
  ])
  const act = useAct()
  const [draft, setDraft] = useState<readonly Request[]>()
  const [lifted, setLifted] = useState<string>()
  const queue = draft ?? stored
  const placeOf = (list: readonly Request[], one: string) =>
    list.findIndex((other) => other.id === one)
  const begun = queue.filter((one) => isBegun(one) || one.requestType === 'Page')
  const waiting = queue.filter((one) => !begun.includes(one))
  const name = fullName(stored.find((one) => one.id === lifted)?.requester ?? {})
  const lift = (one: Request) => {
    act.clear()
    setLifted(one.id)
    setDraft(stored)
    const place = number(placeOf(stored, one.id) + 1)
    announce(t('request.lifted', { name: fullName(one.requester ?? {}), place }), true)
  }
  const moveTo = (one: string, to: number) => {
    const next = moved(queue, one, to)
    setDraft(next)
    announce(t('request.atPlace', { place: number(placeOf(next, one) + 1) }), true)
  }
  const back = () => {
    setLifted(undefined)
    setDraft(undefined)
  }
  const drop = async (list: readonly Request[] = queue) => {
    setLifted(undefined)
    const ids = list.map((one) => one.id)
    if (ids.join() === stored.map((one) => one.id).join()) return setDraft(undefined)
    const done = await act.run(() => reorder(of, id, ids))
    if (done) announce(t('request.reordered'))
    await client.invalidateQueries({ queryKey: ['requests'] })
    setDraft(undefined)
  }
  const keys = (event: KeyboardEvent, one: Request) => {
    const isLifted = lifted === one.id
    if (!isLifted && (event.key === ' ' || event.key === 'Enter') && !may.reason) lift(one)
    else if (isLifted && (event.key === ' ' || event.key === 'Enter')) void drop()
    else if (isLifted && event.key === 'Escape') back()
    else if (isLifted && event.key === 'ArrowUp') moveTo(one.id, placeOf(queue, one.id) - 1)
    else if (isLifted && event.key === 'ArrowDown') moveTo(one.id, placeOf(queue, one.id) + 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const dragged = (one: string, to: number) => void drop(moved(stored, one, to))
  const parts = { lifted, stored, onKey: keys, onDrag: dragged, disabled: may.reason }
  return (
    <>
      <RecordHead
        title={queue[0]?.instance?.title ?? t('request.queue')}
        path={
          <>
            <Link to="/requests" search={{}}>
              {t('request.title')}
            </Link>{' '}
            / {of === 'item' ? t('request.queueOfItem') : t('request.queueOfTitle')}
          </>
        }
        sub={t('request.found', { count: queue.length, shown: number(queue.length) })}
      >
        <Button kind="primary" icon="plus" keys="Alt+N" disabled={mayAdd.reason} onPress={add}>
          {t('request.new')}
        </Button>
      </RecordHead>
      <div className={page.pane}>
        <div className={`${page.body} stack far`}>
          <NotDone failure={act.failure} />
          {lifted ? (
            <Note kind="question" icon="keyboard" bar>
              <p className="grow">
                <strong>
                  {t('request.moving', { name, place: number(placeOf(queue, lifted) + 1) })}
                </strong>{' '}
                {t('request.movingKeys', { place: number(placeOf(stored, lifted) + 1) })}
              </p>
              <Button small keys="Enter" onPress={() => void drop()}>
                {t('request.drop')}
              </Button>
            </Note>
          ) : null}
          {queue.length === 0 ? (
            <Empty icon="inbox" title={t('request.none')} text={t('request.noneWhat')} />
          ) : null}
          {begun.length ? (
            <QueuePart
              {...parts}
              title={t('request.begun')}
              help={t('request.begunWhat')}
              requests={begun}
              first={0}
              isFixed
            />
          ) : null}
          {waiting.length ? (
            <QueuePart
              {...parts}
              title={t('request.notFilled')}
              help={t('request.notFilledWhat')}
              requests={waiting}
              first={begun.length}
            />
          ) : null}
        </div>
      </div>
    </>
  )
}
