// A question before what cannot be undone. Focus is on the harmless answer; Esc is the harmless answer.
import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Button } from './Button'
import styles from './Dialog.module.css'

interface Props {
  title: string
  open: boolean
  onClose: () => void
  children?: ReactNode
  /** The button that does it repeats verb and number: "Delete 3 items". */
  act?: { text: string; run: () => void; danger?: boolean }
  closeText: string
}

export function Dialog({ title, open, onClose, children, act, closeText }: Props) {
  return (
    <ModalOverlay
      className={styles.scrim ?? ''}
      isOpen={open}
      onOpenChange={(on) => !on && onClose()}
      isDismissable
    >
      <Modal className={styles.modal ?? ''}>
        <AriaDialog className={styles.dialog ?? ''} role={act?.danger ? 'alertdialog' : 'dialog'}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
          <div className="row end wrap">
            <Button autoFocus={Boolean(act)} onPress={onClose}>
              {closeText}
            </Button>
            {act ? (
              <Button
                kind={act.danger ? 'danger' : 'primary'}
                onPress={() => {
                  act.run()
                  onClose()
                }}
              >
                {act.text}
              </Button>
            ) : null}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
