/** The id of the list of keyboard shortcuts, for the buttons that open it. */
export const KEYS_DIALOG_ID = 'keys';
