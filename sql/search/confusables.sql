/*
 * Letters that look like letters and digits of ASCII, by UTS 39. Written by tools/confusables/generate.ts.
 */
create function search.latin(name text) returns text
language sql immutable parallel safe
as $$
  select translate(
    name,
    U&'\00d7\0131\0184\018d\0196\01a6\01a7\01b7\01bc\01bd\01c0\021c\0222\0223\0251\0261\0262\0263\0269\026a'
    || U&'\026f\0274\0280\028b\028f\0299\029c\029f\037f\0391\0392\0395\0396\0397\0399\039a\039c\039d\039f\03a1'
    || U&'\03a4\03a5\03a7\03b1\03b3\03b9\03bd\03bf\03c1\03c3\03c4\03c5\03d2\03dc\03e8\03f1\03f2\03f3\03f9\03fa'
    || U&'\0405\0406\0408\0410\0412\0415\0417\041a\041c\041d\041e\0420\0421\0422\0423\0425\042c\0430\0431\0432'
    || U&'\0433\0435\043d\043e\0440\0441\0442\0443\0445\0455\0456\0458\0461\0474\0475\04ae\04af\04bb\04bd\04c0'
    || U&'\04cf\04e0\0501\050c\050d\051b\051c\051d\054d\054f\0555\0561\0563\0566\0570\0578\057c\057d\0581\0584'
    || U&'\0585\05c0\05d5\05d8\05df\05e1\0627\0647\0661\0665\0667\06be\06c1\06d5\06f1\06f5\06f7\07c0\07ca\0966'
    || U&'\09e6\09ea\09ed\0a66\0a67\0a6a\0ae6\0b20\0b66\0b68\0be6\0c66\0ce6\0d20\0d66\0d6d\0e50\0ed0\101d\1040'
    || U&'\10e7\10ff\1200\12d0\13a0\13a1\13a2\13a5\13a9\13aa\13ab\13ac\13b3\13b7\13bb\13bd\13c0\13c2\13c3\13ce'
    || U&'\13cf\13d2\13d4\13d5\13d9\13da\13de\13df\13e2\13e6\13e7\13ee\13f3\13f4\13fb\13fc\142f\144c\146d\146f'
    || U&'\1472\148d\14aa\14bf\1541\157c\157d\1587\15af\15b4\15c5\15de\15ea\15f0\15f7\166d\166e\16b7\16c1\16d5'
    || U&'\16d6\1d00\1d04\1d05\1d07\1d0a\1d0b\1d0d\1d0f\1d11\1d18\1d1b\1d1c\1d20\1d21\1d22\1d26\1d29\1d83\1d8c'
    || U&'\1e9d\1eff\1fbe\212e\213d\2223\2228\222a\22a4\22c1\22c3\22ff\2373\2374\237a\23fd\2573\27d9\292b\292c'
    || U&'\2a2f\2c85\2c8e\2c92\2c94\2c98\2c9a\2c9e\2c9f\2ca2\2ca3\2ca4\2ca5\2ca6\2ca8\2cac\2cca\2ccc\2cd0\2cd1'
    || U&'\2cd2\2d38\2d39\2d4f\2d54\2d55\2d5d\3007\a4d0\a4d1\a4d2\a4d3\a4d4\a4d6\a4d7\a4d9\a4da\a4dc\a4dd\a4df'
    || U&'\a4e0\a4e1\a4e2\a4e3\a4e6\a4e7\a4ea\a4eb\a4ec\a4ee\a4f0\a4f2\a4f3\a4f4\a644\a647\a6df\a6ef\a730\a731'
    || U&'\a75a\a76a\a76e\a798\a799\a79f\a7ab\a7b2\a7b3\a7b4\ab32\ab35\ab3d\ab47\ab48\ab4e\ab52\ab5a\ab70\ab71'
    || U&'\ab72\ab75\ab7a\ab7b\ab7c\ab81\ab83\ab8b\ab90\ab93\aba2\aba9\abaa\abae\abaf\abb2\fba6\fba7\fba8\fba9'
    || U&'\fbaa\fbab\fbac\fbad\fe8d\fe8e\fee9\feea\feeb\feec\ffe8\+010282\+010286\+010287\+01028a\+010290\+010292\+010295\+010296\+010297'
    || U&'\+0102a0\+0102a1\+0102a2\+0102a5\+0102ab\+0102b0\+0102b1\+0102b2\+0102b4\+0102cf\+0102f5\+010301\+010302\+010309\+010311\+010315\+010317\+01031a\+010320\+010322'
    || U&'\+010404\+010415\+01041b\+010420\+01042c\+01043d\+010443\+010448\+0104b4\+0104c2\+0104ce\+0104d2\+0104ea\+0104f6\+010513\+010516\+010518\+01051c\+01051d\+010525'
    || U&'\+010526\+010527\+0114d0\+011706\+01170a\+01170e\+01170f\+0118a0\+0118a2\+0118a3\+0118a4\+0118a6\+0118a9\+0118ac\+0118ae\+0118af\+0118b2\+0118b5\+0118b8\+0118bb'
    || U&'\+0118bc\+0118c0\+0118c1\+0118c2\+0118c3\+0118c4\+0118c6\+0118c8\+0118ca\+0118cc\+0118d5\+0118d6\+0118d7\+0118d8\+0118dc\+0118e0\+0118e5\+0118e6\+0118e9\+0118ec'
    || U&'\+0118ef\+0118f2\+016f08\+016f0a\+016f16\+016f28\+016f35\+016f3a\+016f3b\+016f40\+016f42\+016f43\+01d206\+01d20d\+01d212\+01d213\+01d216\+01d22a\+01d6a4\+01d6a8'
    || U&'\+01d6a9\+01d6ac\+01d6ad\+01d6ae\+01d6b0\+01d6b1\+01d6b3\+01d6b4\+01d6b6\+01d6b8\+01d6bb\+01d6bc\+01d6be\+01d6c2\+01d6c4\+01d6ca\+01d6ce\+01d6d0\+01d6d2\+01d6d4'
    || U&'\+01d6d5\+01d6d6\+01d6e0\+01d6e2\+01d6e3\+01d6e6\+01d6e7\+01d6e8\+01d6ea\+01d6eb\+01d6ed\+01d6ee\+01d6f0\+01d6f2\+01d6f5\+01d6f6\+01d6f8\+01d6fc\+01d6fe\+01d704'
    || U&'\+01d708\+01d70a\+01d70c\+01d70e\+01d70f\+01d710\+01d71a\+01d71c\+01d71d\+01d720\+01d721\+01d722\+01d724\+01d725\+01d727\+01d728\+01d72a\+01d72c\+01d72f\+01d730'
    || U&'\+01d732\+01d736\+01d738\+01d73e\+01d742\+01d744\+01d746\+01d748\+01d749\+01d74a\+01d754\+01d756\+01d757\+01d75a\+01d75b\+01d75c\+01d75e\+01d75f\+01d761\+01d762'
    || U&'\+01d764\+01d766\+01d769\+01d76a\+01d76c\+01d770\+01d772\+01d778\+01d77c\+01d77e\+01d780\+01d782\+01d783\+01d784\+01d78e\+01d790\+01d791\+01d794\+01d795\+01d796'
    || U&'\+01d798\+01d799\+01d79b\+01d79c\+01d79e\+01d7a0\+01d7a3\+01d7a4\+01d7a6\+01d7aa\+01d7ac\+01d7b2\+01d7b6\+01d7b8\+01d7ba\+01d7bc\+01d7bd\+01d7be\+01d7c8\+01d7ca'
    || U&'\+01e8c7\+01e8cb\+01ee00\+01ee24\+01ee64\+01ee80\+01ee84\+01f74c\+01f768',
    'xibglR235sl388aggyiiwnruybhlJABEZHlKMNOPTYXayivopotuYF2pcjCMSlJABE3KMHOPCTYXba6brehopctyxsijwVvYyheli3dGgqWwUSOwqqhnnugfollvlololoVoooloVOloO89o98oOO9ooooo9ooooyoUODRTiYAJEWMHYGhZ4bRWSVSLCPKd6GBgbVUPdbJL2xHxRbFADDMBXxXlKMacdejkmooptuvwzrpgyfyieylvUTvUEipalXTxxxrHlKMNOoPpCcTYX93Ll6VElOQXOBPdDTGKJCZFMNLSRVHWXYAElOU2iV2fs239Ffu3JXBeforruuydrtiajerwhgzrvslcpoooooooolloooolBEFlXOPSTABCFOMTYXHZBClMTX8lXOCLSoclsROU7ouNOKCVFLXOvwwwVFLYEZ9E4LOU5TvsFiz7o3969ouyOZWCXWCVTLlRS3AUY3V7FRLiABEZHlKMNOPTYXayivopotupABEZHlKMNOPTYXayivopotupABEZHlKMNOPTYXayivopotupABEZHlKMNOPTYXayivopotupABEZHlKMNOPTYXayivopotupFl8looloCT'
  )
$$;
comment on function search.latin is 'The name with an ASCII letter in place of each character that looks like one.';
grant execute on function search.latin to searcher, tenant;
