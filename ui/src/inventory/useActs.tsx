// Acts on a record from a menu: asks before what cannot be undone, and says why something was not done.
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { detailOf, failureOf } from '#/api/errors'
import { announce } from '#/app/live'
import { useText } from '#/i18n/text'
import { Dialog } from '#/ui/Dialog'

interface Question {
  title: string
  text?: string
  act: string
  run: () => Promise<unknown>
}

export interface Acts {
  /** Does it, says that it is done, and reads again what may have changed. */
  run: (done: string, act: () => Promise<unknown>) => void
  ask: (question: Question, done: string) => void
  dialogs: ReactNode
}

/** Everything of the inventory may look different after an act. */
const CHANGED = ['instance', 'holdings', 'item', 'marc', 'inventory', 'loans-of', 'find']

export function useActs(): Acts {
  const t = useText()
  const client = useQueryClient()
  const [question, setQuestion] = useState<{ question: Question; done: string }>()
  const [problem, setProblem] = useState<string>()
  const run = async (done: string, act: () => Promise<unknown>) => {
    try {
      await act()
      announce(done)
      await client.invalidateQueries({
        predicate: ({ queryKey }) => CHANGED.includes(String(queryKey[0])),
      })
    } catch (error) {
      const failure = failureOf(error)
      setProblem(detailOf(failure) || t(`shell.failure.${failure.kind}`))
    }
  }
  return {
    run: (done, act) => void run(done, act),
    ask: (asked, done) => setQuestion({ question: asked, done }),
    dialogs: (
      <>
        <Dialog
          title={question?.question.title ?? ''}
          open={Boolean(question)}
          onClose={() => setQuestion(undefined)}
          closeText={t('inventory.keep')}
          act={
            question && {
              text: question.question.act,
              danger: true,
              run: () => void run(question.done, question.question.run),
            }
          }
        >
          {question?.question.text ? <p>{question.question.text}</p> : null}
        </Dialog>
        <Dialog
          title={t('inventory.notDone')}
          open={problem !== undefined}
          onClose={() => setProblem(undefined)}
          closeText={t('shell.close')}
        >
          <p dir="auto">{problem}</p>
        </Dialog>
      </>
    ),
  }
}
