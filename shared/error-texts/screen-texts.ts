/** What is wrong with views, imports, change sets, comments, wallboards, displays and webhooks. */
export const screenTexts = {
  "view.right": "Your role can't save views of {table}.",
  "view.nameTaken": "There is a view of that name already.",
  "view.sorted": "The view is sorted. Remove its sort to move records by hand.",
  "view.movedTwice": "A move names a record twice.",
  "view.tooManyToMove": "Records can be moved by hand in views of up to {limit} records.",

  "import.empty": "The file is empty.",
  "import.stalled": "The upload stopped: nothing arrived for {seconds} s.",
  "import.brokenOff": "The upload was interrupted. Import the file again.",
  "import.tooManyColumns": "Line {line} has more than {limit} columns.",
  "import.notCsv": "Line {line} is not CSV: {problem}.",
  "import.lineEnds":
    "Line {line} contains a line break of another kind than the one that ends the first line. Save the file with one kind, or put quotation marks around values with line breaks.",
  "import.encoding":
    "Line {line}: Some characters are not UTF-8. Save the file as UTF-8, or name its encoding, such as windows-1252.",
  "import.noField": 'There is no field "{field}".',
  "import.noColumns": "The file has no column {columns}.",
  "import.sameField": 'Two columns go into the field "{field}".',
  "import.noKnownColumn": "No column has the name of a field: {columns}.",
  "import.noKey": 'No column goes into the key "{field}".',
  "import.notEmpty": "A file can only be imported into a draft that has none yet.",
  "import.stopped": "The import was stopped. What it has applied until then stays.",
  "import.noRows":
    "The rejected rows of this file can't be corrected here any more. Download them, and import them again.",
  "import.corrected": "This row was corrected meanwhile. Check the list, and try again.",
  "import.meansEmpty":
    "In this file this text means “empty”. Choose another value, or import the file again with another format.",
  "import.notRead": "The file has not been read to its end. Wait, or import it again.",

  "changeSet.draft": "This change set is still a draft, or has changed meanwhile.",
  "changeSet.applying": "This change set is being applied.",
  "changeSet.applied": "This change set is applied already.",
  "changeSet.cancelled": "This change set is cancelled.",
  "changeSet.reverted": "This change set is reverted.",
  "changeSet.otherRights":
    "This revert was made with other rights than you have now. Delete it, and revert again.",
  "changeSet.author": "Only its author can change this set.",
  "changeSet.noTransitions": "This table has no transitions.",

  "comment.author": "Only its author can change a comment.",
  "comment.mention": "Only users who can read this record can be mentioned.",

  "wallboard.hiddenOnDisplay":
    "“{wallboard}” shows what you may not read yourself, so you can't put it on a display.",
  "wallboard.hiddenTiles":
    "This wallboard has tiles that you may not read yourself: you can't publish them.",
  "wallboard.acknowledge": "Only users who may change {table} can acknowledge their alerts.",

  "display.tooManyPairings":
    "Too many pairing codes were asked for from this network. Please wait.",
  "display.tooManyClaims": "Too many incorrect pairing codes. Wait before you try again.",
  "display.unknownCode": "No screen shows this code. Codes change every few minutes: look again.",

  "webhook.address": "Webhooks are not sent to private addresses.",
  "webhook.owner": "This webhook sends by the rights of another user, who alone may do that.",
  "webhook.secret": "The secret can't be decrypted. Replace it.",
  "webhook.clock": "The filter of a webhook can't depend on the time.",
} as const;
