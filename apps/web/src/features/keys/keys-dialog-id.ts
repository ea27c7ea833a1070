/** The id of the list of keyboard shortcuts, for the buttons that open it. */
export const KEYS_DIALOG_ID = 'keys';

/** The name of that dialog. */
export const HELP_LABEL = 'Help with searching and keyboard shortcuts';
